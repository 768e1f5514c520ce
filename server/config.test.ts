import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { simulatorFiles } from '../simulators/bankid/simulator.ts'
import { type Environment, readConfig } from './config.ts'

const folder = mkdtempSync(join(tmpdir(), 'vestibule-config-'))
afterAll(() => rmSync(folder, { recursive: true }))

const file = (name: string, text: string, mode: number) => {
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
    expect(readConfig({ LIMIT_AUTH_TYPE: '30/60' }).limits.get('authType')).toEqual({ points: 30, seconds: 60 })
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
    ['LIMIT_CODES', '20'],
    ['LIMIT_CODES', '0/60'],
  ])('%s=%s is refused by name', (setting, value) => {
    expect(refusal({ [setting]: value })).toMatch(new RegExp(`^${setting} `))
  })

  test.each(['Nordvik', 'Nordvik AB', '+46766861004', '71700', 'MG0123456789abcdef0123456789abcdef'])(
    'text messages may come from %s',
    (from) => {
      expect(readConfig({ SMS_FROM: from }).smsFrom).toBe(from)
    },
  )

  test('all errors are reported together, on one line', () => {
    const message = refusal({ PORT: 'x', LOG_LEVEL: 'loud', BASE_URL: 'nowhere' })
    expect(message).toMatch(/^PORT .*; BASE_URL .*; LOG_LEVEL [^\n]*$/)
  })
})

describe('production', () => {
  test('starts when all settings are present', () => {
    expect(readConfig(whole)).toMatchObject({ production: true, demo: false, baseUrl: whole.BASE_URL })
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
    ['a missing key file', { MASTER_KEY_FILE: join(folder, 'none') }, 'MASTER_KEY_FILE'],
    ['a key file that all may read', { MASTER_KEY_FILE: file('open.key', key, 0o644) }, 'MASTER_KEY_FILE'],
    ['a short key file', { MASTER_KEY_FILE: file('short.key', 'abc\n', 0o600) }, 'MASTER_KEY_FILE'],
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

  test('accepts a key file that only its owner and group may read', () => {
    const env = { ...whole, MASTER_KEY: undefined, MASTER_KEY_FILE: file('good.key', key, 0o440) }
    expect(readConfig(env).masterKeyFile).toBe(env.MASTER_KEY_FILE)
  })
})

test('no secret can be printed', () => {
  const config = readConfig({ ...whole, METRICS_TOKEN: 'mätarens-hemlighet', SMS_PASSWORD: 'hemligt-ord' })
  const printed = [JSON.stringify(config), inspect(config, { depth: 9 }), `${config.smtpUrl}`].join('\n')
  expect(printed).toContain('[secret]')
  for (const text of ['hemlig', key]) expect(printed).not.toContain(text)
  expect(config.databaseUrl?.reveal()).toBe(whole.DATABASE_URL)
})
