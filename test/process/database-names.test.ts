import { execFileSync } from 'node:child_process'
import { chownSync, copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { prepareDatabase } from '#server/prepare-database.ts'

interface External {
  findBinaries(): string | undefined
  startExternalPostgres(binaries: string): Promise<{ url: string; stop(): void }>
}
// JavaScript without types: it runs before anything is installed.
const external = join(import.meta.dirname, '..', '..', 'scripts', 'external-postgres.mjs')
const { findBinaries, startExternalPostgres } = (await import(external)) as External
const binaries = findBinaries()
const password = 'p@ss/w?r#d%41 å:+'

/** Names that PostgreSQL allows, of roles and databases. */
const names = [
  'Vestibule',
  'the portal',
  'it"s',
  "it's",
  'id-portal',
  'Övre.Torg',
  '1portal',
  'select',
  'a$b&c=d+e,f;g:h@i',
]

describe.skipIf(!binaries)('a PostgreSQL of the operator', () => {
  let server: { url: string; stop(): void }
  let admin: pg.Client
  beforeAll(async () => {
    server = await startExternalPostgres(binaries ?? '')
    admin = new pg.Client({ connectionString: server.url })
    await admin.connect()
  }, 60_000)
  afterAll(async () => {
    await admin?.end()
    server?.stop()
  })

  const start = async (settings: Record<string, string>) => {
    const lines: string[] = []
    const database = await prepareDatabase(readConfig(settings), (line) => lines.push(line))
    return { database, lines }
  }
  const addressOf = (user: string, database: string, more = '') => {
    const { host } = new URL(server.url)
    return `postgres://${encodeURIComponent(user)}:${encodeURIComponent(password)}@${host}/${encodeURIComponent(database)}${more}`
  }
  const quoted = (name: string) => pg.escapeIdentifier(name)

  test.each(names)('starts with an owner, a serving role and a database called %s', async (name) => {
    const [owner, app] = [`${name} owner`, `${name} app`]
    for (const role of [owner, app])
      await admin.query(`create role ${quoted(role)} login password ${pg.escapeLiteral(password)}`)
    await admin.query(`create database ${quoted(name)} owner ${quoted(owner)}`)
    const settings = { DATABASE_URL: addressOf(app, name), DATABASE_OWNER_URL: addressOf(owner, name) }
    await start(settings)
    // There is nothing to do then.
    const { database, lines } = await start(settings)
    expect(lines).toEqual([])
    const { db, pool } = openDatabase({ url: database.appUrl, role: database.appRole })
    expect((await pool.query('select current_user as role')).rows).toEqual([{ role: app }])
    await expect(pool.query('delete from audit_events')).rejects.toThrow('permission denied')
    await db.destroy()
  })

  test('starts with one role that may make the serving one, whatever its name is', async () => {
    await admin.query('create role "Portalens Ägare" login createrole')
    await admin.query('create database "Portalen" owner "Portalens Ägare"')
    const { database, lines } = await start({ DATABASE_URL: addressOf('Portalens Ägare', 'Portalen') })
    expect(database.appRole).toBe('vestibule_app')
    expect(lines.filter((line) => line.startsWith('Warning'))).toEqual([])
  })

  test('a private authority is named by sslrootcert; without it the message says so', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'vestibule-authority-'))
    const openssl = (...options: string[]) => execFileSync('openssl', options, { cwd: folder, stdio: 'pipe' })
    openssl(
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-keyout',
      'ca.key',
      '-out',
      'ca.pem',
      '-subj',
      '/CN=Our authority',
    )
    openssl('req', '-newkey', 'rsa:2048', '-nodes', '-keyout', 'key', '-out', 'request', '-subj', '/CN=localhost')
    writeFileSync(join(folder, 'names'), 'subjectAltName=DNS:localhost')
    openssl(
      'x509',
      '-req',
      '-in',
      'request',
      '-CA',
      'ca.pem',
      '-CAkey',
      'ca.key',
      '-CAcreateserial',
      '-out',
      'cert',
      '-extfile',
      'names',
    )
    const { rows } = await admin.query(
      "select current_setting('data_directory') as data, current_setting('hba_file') as hba",
    )
    const [{ data, hba }] = rows
    const { uid, gid } = statSync(dirname(hba))
    for (const [from, to] of [
      ['cert', 'server.crt'],
      ['key', 'server.key'],
    ] as const) {
      copyFileSync(join(folder, from), join(data, to))
      chownSync(join(data, to), uid, gid)
      execFileSync('chmod', ['600', join(data, to)])
    }
    writeFileSync(
      hba,
      `hostssl "Encrypted" all all scram-sha-256\nhost "Encrypted" all all reject\n${readFileSync(hba, 'utf8')}`,
    )
    await admin.query('alter system set ssl = on')
    await admin.query(`create role "Encrypted" login createrole password ${pg.escapeLiteral(password)}`)
    await admin.query('create database "Encrypted" owner "Encrypted"')
    await admin.query('select pg_reload_conf()')
    const at = (more: string, host = 'localhost', user = 'Encrypted') =>
      addressOf(user, 'Encrypted', more).replace('@127.0.0.1', `@${host}`)
    const refusal = (url: string) =>
      start({ DATABASE_URL: url }).then(
        () => 'no refusal',
        ({ message }: Error) => message,
      )
    const authority = `sslrootcert=${join(folder, 'ca.pem')}`
    for (const mode of ['require', 'verify-ca', 'verify-full']) {
      await start({ DATABASE_URL: at(`?sslmode=${mode}&${authority}`) })
      expect(await refusal(at(`?sslmode=${mode}`))).toMatch(/^DATABASE_URL: .*sslrootcert=<file>/)
      expect(await refusal(at(`?sslmode=${mode}&${authority}`, '127.0.0.1'))).toContain('host name of the certificate')
    }
    expect(await refusal(at(`?sslmode=require&sslrootcert=${folder}/none.pem`))).toMatch(/^DATABASE_URL: .*none\.pem/)
    const wrong = at(`?sslmode=require&${authority}`).replace(encodeURIComponent(password), 'p%41ss')
    expect(await refusal(wrong)).toContain('% is %25')
    rmSync(folder, { recursive: true })
  })
})

test.each(['p@ss/word', 'p#ss', '12#34', 'p/ss', '12/34', 'p?ss', 'p%e5ss', 'ab/cd=='])(
  'a password that is not percent-encoded (%s) is said',
  (plain) => {
    for (const setting of [
      'DATABASE_URL',
      'DATABASE_OWNER_URL',
      'DATABASE_POOLER_URL',
      'DATABASE_READ_URL',
      'SMTP_URL',
    ]) {
      const url = `${setting === 'SMTP_URL' ? 'smtp' : 'postgres'}://portal:${plain}@db.example:5432/portal`
      expect(() => readConfig({ DATABASE_URL: 'postgres://db/x', [setting]: url })).toThrow(
        `${setting} has a user or password that is not percent-encoded`,
      )
    }
  },
)

test.each([
  'postgres://db/portal',
  'postgres://portal@db:5432/portal?sslmode=require',
  'postgres://portal:p@ss@db/portal',
  'postgres://portal:p%ss@db/portal',
  'postgres://portal:100%25@db1,db2:5432/portal?target_session_attrs=read-write',
  'postgres://db/portal?user=portal@tenant&password=x',
  'postgresql://portal:p%40ss@[::1]:5432/portal',
])('the address %s is taken', (url) => {
  expect(readConfig({ DATABASE_URL: url }).databaseUrl?.reveal()).toBe(url)
})
