import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { command as verify } from '#server/admin/audit-verify.ts'
import { command as backup } from '#server/admin/backup.ts'
import type { Command } from '#server/admin/command.ts'
import { command as quarantineEnd } from '#server/admin/quarantine-end.ts'
import { command as restore } from '#server/admin/restore.ts'
import { createApp } from '#server/app.ts'
import { startBackgroundWork } from '#server/background-work.ts'
import { readConfig } from '#server/config.ts'
import { createSystem } from '#server/create-system.ts'
import { createLog } from '#server/platform/log.ts'
import { createClient } from '#test/client.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { freePort } from '#test/free-port.ts'
import { invite } from '#test/invitations.ts'
import { type Person, testPassword } from '#test/people.ts'
import { tableDigests } from '#test/table-digests.ts'
import { signIn, type TestApp, testApp, testMasterKey } from '#test/test-app.ts'

const folder = mkdtempSync(join(tmpdir(), 'vestibule-backup-'))
const fileOf = (name: string) => join(folder, name)
const passphraseFile = fileOf('passphrase')
const encrypted = { 'passphrase-file': passphraseFile }

let portal: TestApp
let admin: Person
const copies: TestDatabase[] = []
const mails: string[] = []
const mailServer = new SMTPServer({
  disabledCommands: ['STARTTLS', 'AUTH'],
  onRcptTo: ({ address }, _, done) => {
    mails.push(address)
    done()
  },
  onData: (stream, _, done) => void stream.on('end', done).resume(),
})
let mailPort: number

const settings = ({ appUrl, ownerUrl }: Pick<TestDatabase, 'appUrl' | 'ownerUrl'>) => ({
  BASE_URL: 'http://portal.test',
  DATABASE_URL: appUrl,
  DATABASE_OWNER_URL: ownerUrl,
  MASTER_KEY: 'the master key of the tests, which is no secret',
  LOG_LEVEL: 'silent',
  // The sign-in on the copy would be news.
  NEW_BROWSER_MAIL: 'off',
  SMTP_URL: `smtp://127.0.0.1:${mailPort}`,
})

async function call({ run }: Command, on: TestDatabase | TestApp, positionals: string[] = [], values = {}) {
  const lines: string[] = []
  const database = 'app' in on ? { appUrl: on.appUrl, ownerUrl: on.ownerUrl } : on
  const code = await run({
    config: readConfig(settings(database)),
    values,
    positionals,
    say: (line) => lines.push(line),
  })
  return { code, lines: lines.join('\n') }
}

async function emptyCopy() {
  const database = await createTestDatabase()
  copies.push(database)
  return database
}

beforeAll(async () => {
  mailPort = await freePort()
  await new Promise<void>((resolve) => mailServer.listen(mailPort, '127.0.0.1', resolve))
  writeFileSync(passphraseFile, 'a dozen characters\n', { mode: 0o600 })
  portal = await testApp()
  admin = await portal.person({ superUser: true })
  const client = await portal.signedIn(admin)
  const { organizationId } = await portal.organization()
  const invited = await invite(client, organizationId, 'invited@nordvik.example')
  expect(invited.statusCode, invited.body).toBeLessThan(300)
  await portal.seal()
})
afterAll(async () => {
  await new Promise<void>((resolve) => mailServer.close(resolve))
  await portal.close()
  for (const { drop } of copies) await drop()
  rmSync(folder, { recursive: true })
})

test('a drill: the copy has every row and an intact audit log, people sign in, and nothing leaves until an operator says so', async () => {
  const file = fileOf('drill.backup')
  expect(await call(backup, portal, [file], encrypted)).toMatchObject({ code: 0 })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readFileSync(file, 'latin1')).not.toContain('nordvik')
  const copy = await emptyCopy()
  const restored = await call(restore, copy, [file], encrypted)
  expect(restored.lines).toContain('The copy is in quarantine')
  expect(await call(verify, copy)).toMatchObject({ code: 0, lines: expect.stringContaining('is intact') })

  const config = readConfig(settings(copy))
  const system = await createSystem({ config, database: copy, masterKey: testMasterKey, log: createLog('silent') })
  const { app, provider } = await createApp(system, { webFolder: fileOf('no web app') })
  await app.ready()
  const background = startBackgroundWork(system, { appUrl: copy.appUrl, appRole: undefined, provider })
  try {
    const leaveOut = /^(installation|migrations|audit_checks|nodes)$/
    expect(await tableDigests(system.pool, { leaveOut })).toEqual(await tableDigests(portal.system.pool, { leaveOut }))

    const client = createClient(app, 'http://portal.test')
    expect((await client.get('/api/portal')).json()).toMatchObject({ quarantine: true })
    await signIn(client, admin.email, testPassword)
    expect((await client.get('/api/me')).statusCode).toBe(200)
    const other = createClient(app, 'http://portal.test')
    expect((await other.post('/api/initiate-password-reset', { email: admin.email })).statusCode).toBeLessThan(300)
    await expect(system.outgoing.call('https://customer.example', { use: 'webhook' })).rejects.toThrow(
      'outgoingQuarantine',
    )
    // Long enough for two polls of the queue.
    await new Promise((resolve) => setTimeout(resolve, 3000))
    expect(mails).toEqual([])

    expect((await call(quarantineEnd, copy)).lines).toContain('Not sent again: 1')
    await expect.poll(() => mails, { timeout: 15_000 }).toEqual([admin.email])
    expect((await client.get('/api/portal')).json()).toMatchObject({ quarantine: false })
  } finally {
    await background.stop()
    await app.close()
    await system.close()
  }
})

test.each([
  ['encrypted', encrypted],
  ['plain', {}],
])('a changed, shortened or foreign %s backup is refused, and nothing is restored', async (name, values) => {
  const file = fileOf(`${name}.backup`)
  await call(backup, portal, [file], values)
  const whole = readFileSync(file)
  const copy = await emptyCopy()
  const changed = (position: number) => {
    const bytes = Buffer.from(whole)
    bytes[position] = (bytes[position] ?? 0) ^ 1
    return bytes
  }
  const middle = Math.floor(whole.length / 2)
  for (const [bytes, reason] of [
    [changed(whole.length - 1), /was changed/],
    [changed(middle), /was changed/],
    [whole.subarray(0, middle), /was changed/],
    [whole.subarray(0, whole.indexOf('\n') + 5), /cut off/],
    [Buffer.from('no backup\n'), /no backup/],
    [Buffer.alloc(0), /no backup/],
  ] as const) {
    const bad = fileOf(`${name}.bad`)
    writeFileSync(bad, bytes)
    await expect(call(restore, copy, [bad], values)).rejects.toThrow(reason)
  }
  expect(await call(restore, copy, [file], values)).toMatchObject({ code: 0 })
})

test('a backup is not overwritten, its passphrase is needed, and a database in use is left alone', async () => {
  const file = fileOf('kept.backup')
  await call(backup, portal, [file], encrypted)
  const before = readFileSync(file)
  await expect(call(backup, portal, [file], encrypted)).rejects.toThrow('is there already')
  expect(readFileSync(file)).toEqual(before)
  const copy = await emptyCopy()
  await expect(call(restore, copy, [file])).rejects.toThrow('needs its passphrase')
  writeFileSync(fileOf('other'), 'another dozen characters', { mode: 0o600 })
  await expect(call(restore, copy, [file], { 'passphrase-file': fileOf('other') })).rejects.toThrow(
    /passphrase is wrong/,
  )
  await expect(call(restore, portal, [file], encrypted)).rejects.toThrow('this database is in use')
  const withFile = (name: string) => call(backup, portal, [fileOf('x')], { 'passphrase-file': fileOf(name) })
  await expect(withFile('none')).rejects.toThrow('--passphrase-file names no file')
  writeFileSync(fileOf('open'), 'another dozen characters')
  // Whatever the umask is.
  chmodSync(fileOf('open'), 0o644)
  await expect(withFile('open')).rejects.toThrow('--passphrase-file can be read by others')
  expect(existsSync(fileOf('x'))).toBe(false)
  await expect(call(restore, copy, [fileOf('none')])).rejects.toThrow('is not there')
  await expect(call(quarantineEnd, copy)).resolves.toMatchObject({ code: 1 })
})
