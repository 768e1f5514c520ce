import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { simulatorFiles } from '../simulators/bankid/simulator.ts'
import { type Environment, readConfig } from './config.ts'
import { limitRules } from './platform/limit-rules.ts'
import type { Secret } from './platform/secret.ts'
import { type Setting, settings } from './settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'vestibule-config-'))
afterAll(() => rmSync(folder, { recursive: true }))

const file = (name: string, text: string | Buffer, mode: number) => {
  const path = join(folder, name)
  writeFileSync(path, text)
  chmodSync(path, mode)
  return path
}
const key = 'qN3uY0wq5c0mG8lq0o2nT1xkq6zQmJ1f7m9bXw3r5sE='

const whole: Environment = {
  NODE_ENV: 'production',
  BASE_URL: 'https://portal.nordvik.example',
  MASTER_KEY: key,
  DATABASE_URL: 'postgres://app:hemligt-ord@db.nordvik.example/vestibule',
  SMTP_URL: 'smtp://post:hemligt-ord@mail.nordvik.example:587',
}

const refusal = (env: Environment): string => {
  try {
    readConfig(env)
  } catch (error) {
    return (error as Error).message
  }
  return 'not refused'
}

test('cold storage of the audit log needs a folder, and files of which everything goes at one time', () => {
  const cold = { ...whole, AUDIT_COLD_AFTER_MONTHS: '12', AUDIT_COLD_DIR: '/var/lib/audit' }
  expect(readConfig(cold)).toMatchObject({ auditColdAfterMonths: 12, auditColdDir: '/var/lib/audit' })
  expect(refusal({ ...cold, AUDIT_COLD_DIR: '' })).toContain('AUDIT_COLD_DIR is missing')
  expect(refusal({ ...cold, AUDIT_COLD_AFTER_MONTHS: '5' })).toContain(
    'AUDIT_COLD_AFTER_MONTHS must be 0, or at least 6',
  )
  expect(refusal({ ...cold, AUDIT_COLD_AFTER_MONTHS: '6' })).toContain(
    'AUDIT_MONTHS_SIGN_INS must be at most AUDIT_COLD_AFTER_MONTHS, or 24 as the longest of its kind',
  )
  expect(readConfig({ ...cold, AUDIT_COLD_AFTER_MONTHS: '6', AUDIT_MONTHS_SIGN_INS: '24' })).toBeTruthy()
  expect(refusal({ ...cold, AUDIT_MONTHS_SIGN_INS: '36' })).toContain('AUDIT_MONTHS must be at most')
})

describe('PASSKEY_RP_ID', () => {
  test('is the host of BASE_URL, without its port', () => {
    expect(readConfig({ BASE_URL: 'http://localhost:8080' }).passkeyRpId).toBe('localhost')
    expect(readConfig(whole).passkeyRpId).toBe('portal.nordvik.example')
  })

  test('may be a domain above it, and no other', () => {
    expect(readConfig({ ...whole, PASSKEY_RP_ID: 'nordvik.example' }).passkeyRpId).toBe('nordvik.example')
    for (const other of ['example', 'vik.example', 'id.portal.nordvik.example', 'elsewhere.example'])
      expect(refusal({ ...whole, PASSKEY_RP_ID: other })).toContain('PASSKEY_RP_ID must be the host of BASE_URL')
    expect(refusal({ ...whole, PASSKEY_RP_ID: 'https://nordvik.example' })).toContain(
      'PASSKEY_RP_ID must be a host name',
    )
  })
})

describe('outside production', () => {
  test('everything has a default', () => {
    const config = readConfig({})
    expect(config).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      baseUrl: 'http://localhost:3000',
      trustedProxies: [],
      demo: true,
      production: false,
    })
    expect(config.databaseUrl).toBeUndefined()
    expect(config.dataDir).toMatch(/^\/.*\/data$/)
  })

  test('an empty value counts as not set', () => {
    expect(readConfig({ PORT: '', SMTP_URL: ' ' })).toMatchObject({ port: 3000, smtpUrl: undefined })
  })

  test('the base address follows the port', () => {
    expect(readConfig({ PORT: '8080' }).baseUrl).toBe('http://localhost:8080')
  })

  test('limits are read by their camelCase name', () => {
    const { limits } = readConfig({ LIMIT_AUTH_TYPE: ' 3/7 ', LIMIT_ADDRESS_FAILURES: '' })
    expect(limits).toEqual({ ...limitRules, authType: { points: 3, seconds: 7 } })
  })

  test.each([
    ['PORT', '80a'],
    ['PORT', '70000'],
    ['BASE_URL', 'portal.nordvik.example'],
    ['BASE_URL', 'https://portal.nordvik.example/path'],
    ['DATABASE_URL', 'mysql://db.nordvik.example/x'],
    ['DATABASE_URL', 'postgres://one.nordvik.example:5432,two.nordvik.example:x/x'],
    ['DATABASE_URL', 'postgres://one,two/x?target_session_attrs=standby'],
    ['MASTER_KEY', 'short'],
    ['MASTER_KEY', 'changeme-changeme-changeme-changeme'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', 'everybody'],
    ['TRUSTED_PROXIES', '0.0.0.0/0'],
    ['TRUSTED_PROXIES', '10.0.0.7, ::/0'],
    ['TRUSTED_PROXIES', '0.0.0.0/1, 128.0.0.0/1'],
    ['TRUSTED_PROXIES', '::/1'],
    // Every address of IPv4, to some who count the prefix; CVE-2026-92395.
    ['TRUSTED_PROXIES', '::ffff:10.0.0.0/8'],
    ['TRUSTED_PROXIES', '::ffff:0.0.0.0/96'],
    ['TRUSTED_PROXIES', '0:0:0:0:0:FFFF:a00:0/104'],
    ['SMTP_URL', 'mail.nordvik.example:25'],
    ['MAIL_FROM', 'no-reply'],
    ['SMS_PROVIDER', 'pigeon'],
    ['SMS_FROM', 'Nordvik Portal'],
    ['SMS_FROM', 'Fjällrå'],
    ['SMS_FROM', '+46 70 174 06 05'],
    ['SMS_FROM', '0701740605'],
    ['BANKID_URL', 'ftp://bankid.example'],
    ['SESSION_IDLE_MINUTES', '0'],
    ['SESSION_MAX_HOURS', '1.5'],
    ['ITEMS_PER_PAGE', '-1'],
    ['DEMO', 'maybe'],
    ['BOOTSTRAP_EMAIL', 'someone'],
    ['LOG_LEVEL', 'loud'],
    ['LIMIT_WRONG_CODE', '20'],
    ['LIMIT_WRONG_CODE', '0/60'],
    ['LIMIT_AUTH_TYPES', '30/60'],
    ['LIMIT_CODES', '20/60'],
    ['LIMIT_TO_STRING', '20/60'],
  ])('%s=%s is refused by name', (setting, value) => {
    expect(refusal({ [setting]: value })).toMatch(new RegExp(`^${setting} `))
  })

  test.each(['Nordvik', 'Nordvik AB', '+46766861004', '71700', 'MG0123456789abcdef0123456789abcdef'])(
    'text messages may come from %s',
    (from) => {
      expect(readConfig({ SMS_FROM: from }).smsFrom).toBe(from)
    },
  )

  test('what is no limit is refused with the name that was meant', () => {
    expect(refusal({ LIMIT_AUTHTYPE: '30/60' })).toBe('LIMIT_AUTHTYPE is no limit: LIMIT_AUTH_TYPE is')
  })

  test('all errors are reported together, on one line', () => {
    const message = refusal({ PORT: 'x', LOG_LEVEL: 'loud', BASE_URL: 'nowhere' })
    expect(message).toMatch(/^PORT .*; BASE_URL .*; LOG_LEVEL [^\n]*$/)
  })
})

describe('production', () => {
  test('starts when all settings are present', () => {
    expect(readConfig(whole)).toMatchObject({ production: true, demo: false, baseUrl: whole.BASE_URL })
  })

  test('names what is there under a misspelled name', () => {
    const { DATABASE_URL, ...rest } = whole
    expect(refusal({ ...rest, DATABASE_URI: DATABASE_URL })).toMatch(
      /^DATABASE_URL is missing .*; DATABASE_URI is no setting: DATABASE_URL is$/,
    )
  })

  test('names all that is missing on one line', () => {
    const message = refusal({ NODE_ENV: 'production' })
    expect(message.split('; ').map((sentence) => sentence.split(' ')[0])).toEqual([
      'BASE_URL',
      'MASTER_KEY',
      'DATABASE_URL',
      'SMTP_URL',
    ])
    expect(message).not.toContain('\n')
  })

  test.each([
    ['an http address', { BASE_URL: 'http://portal.nordvik.example' }, 'BASE_URL'],
    ['a short master key', { MASTER_KEY: 'abcdefgh' }, 'MASTER_KEY'],
    ['a placeholder as master key', { MASTER_KEY: 'default-master-key-of-32-characters!' }, 'MASTER_KEY'],
    ['no master key', { MASTER_KEY: undefined }, 'MASTER_KEY'],
    ['no database', { DATABASE_URL: undefined }, 'DATABASE_URL'],
    ['no mail server', { SMTP_URL: undefined }, 'SMTP_URL'],
    ['the demo', { DEMO: 'on' }, 'DEMO'],
    [
      'a short key file',
      { MASTER_KEY: undefined, MASTER_KEY_FILE: file('short.key', 'abc\n', 0o600) },
      'MASTER_KEY_FILE',
    ],
    ['a DKIM key that all may read', { DKIM_SELECTOR: 'a', DKIM_KEY_FILE: file('dkim', 'x', 0o604) }, 'DKIM_KEY_FILE'],
    ['the BankID simulator', { BANKID_URL: 'http://127.0.0.1:4000/rp/v6.0' }, 'BANKID_URL'],
    ['the simulator by its IPv6 address', { BANKID_URL: 'https://[::1]:4000' }, 'BANKID_URL'],
    ['BankID without a certificate', { BANKID_URL: 'https://appapi2.bankid.com/rp/v6.0' }, 'BANKID_CERT_FILE'],
    ['BankID without its CA', { BANKID_URL: 'https://appapi2.bankid.com/rp/v6.0' }, 'BANKID_CA_FILE'],
    [
      'the simulator under another name',
      { BANKID_URL: 'https://bankid.nordvik.example/rp/v6.0', BANKID_CA_FILE: simulatorFiles.ca },
      'BANKID_CA_FILE',
    ],
    ['an SMS gateway without a password', { SMS_PROVIDER: '46elks', SMS_USERNAME: 'u1' }, 'SMS_PASSWORD'],
    [
      'an SMS gateway that hears codes and passwords in the clear',
      { SMS_PROVIDER: '46elks', SMS_USERNAME: 'u1', SMS_PASSWORD: 'p1', SMS_URL: 'http://sms.nordvik.example' },
      'SMS_URL',
    ],
  ])('refuses %s', (_, change: Environment, setting) => {
    expect(refusal({ ...whole, ...change })).toMatch(new RegExp(`(^|; )${setting} `))
  })

  test('accepts the embedded database when allowed', () => {
    const env = { ...whole, DATABASE_URL: undefined, EMBEDDED_DATABASE_IN_PRODUCTION: '1' }
    expect(readConfig(env).embeddedDatabaseInProduction).toBe(true)
  })
})

describe('a secret in a file', () => {
  const samples: Record<string, string> = {
    MASTER_KEY: key,
    MASTER_KEY_NEXT: key,
    SMS_PASSWORD: 'hemligt ord',
    BANKID_CERT_PASSPHRASE: 'hemligt ord',
    METRICS_TOKEN: 'hemligt-ord',
    SMTP_URL: 'smtp://post:hemligt-ord@mail.nordvik.example:587',
    OUTGOING_PROXY: 'http://proxy:hemligt-ord@proxy.nordvik.example:3128',
  }
  const secrets = Object.entries<Setting<unknown>>(settings)
    .filter(([, { secret }]) => secret)
    .map(([name, { env }]) => ({ name, env, text: samples[env] ?? 'postgres://app:hemligt-ord@db.nordvik.example/x' }))

  test('can be read for every secret', () => {
    expect(secrets.map(({ env }) => env)).toEqual(expect.arrayContaining(Object.keys(samples)))
    for (const { name, env, text } of secrets) {
      const given = { [`${env}_FILE`]: file(env, `${text}\n`, 0o600) }
      const value = (readConfig(given) as unknown as Record<string, Secret>)[name]
      expect(value?.reveal(), env).toBe(text)
    }
  })

  test.each([
    ['that others may read', file('open', key, 0o604), /^MASTER_KEY_FILE can be read by others: chmod 600 \//],
    ['that its group may read, of our own', file('group', key, 0o640), /^MASTER_KEY_FILE can be read by others/],
    ['that is missing', join(folder, 'none'), /^MASTER_KEY_FILE names no file$/],
    ['that is a folder', folder, /^MASTER_KEY_FILE names no file$/],
    ['that is empty', file('empty', '\n', 0o600), /^MASTER_KEY_FILE names an empty file$/],
    ['that is no text', file('binary', Buffer.alloc(40, 0xff), 0o600), /^MASTER_KEY_FILE names a file that is no text/],
    ['that is large', file('large', 'x'.repeat(70_000), 0o600), /^MASTER_KEY_FILE names a file of more than 64 KB$/],
    ['with a wrong value', file('wrong', 'abc', 0o600), /^MASTER_KEY_FILE is too short/],
  ])('%s is refused by name, and never quoted', (_, path, reason) => {
    expect(refusal({ MASTER_KEY_FILE: path })).toMatch(reason)
  })

  test('and in the environment as well is refused', () => {
    const both = { METRICS_TOKEN: 'a', METRICS_TOKEN_FILE: file('token', 'a', 0o600) }
    expect(refusal(both)).toBe('METRICS_TOKEN and METRICS_TOKEN_FILE are both set: keep one')
  })
})

test('no secret can be printed', () => {
  const config = readConfig({ ...whole, METRICS_TOKEN: 'mätarens-hemlighet', SMS_PASSWORD: 'hemligt-ord' })
  const printed = [JSON.stringify(config), inspect(config, { depth: 9 }), `${config.smtpUrl}`].join('\n')
  expect(printed).toContain('[secret]')
  for (const text of ['hemlig', key]) expect(printed).not.toContain(text)
  expect(config.databaseUrl?.reveal()).toBe(whole.DATABASE_URL)
})
