import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { SMTPServer } from 'smtp-server'
import { request } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { freePort } from '#test/free-port.ts'
import { type FaultyLine, openFaultyLine } from './faulty-line.ts'
import { type ServerProcess, startServerProcess, temporaryDataDir } from './server-process.ts'

const projectFolder = join(import.meta.dirname, '..', '..')
const certificates = join(projectFolder, 'simulators/bankid/certificates')
const timeout = 240_000
const host = 'portal.nordvik.example'

let folder: ReturnType<typeof temporaryDataDir>
let database: TestDatabase
let owner: pg.Client
let line: FaultyLine
let server: ServerProcess
let settings: Record<string, string>
let mailPort: number

/** Who got mail. */
const received: string[] = []
/** What the mail server answers to a recipient instead of taking the mail. */
let refusal: { responseCode: number } | undefined
let mailServer: SMTPServer | undefined
async function openMailServer(): Promise<void> {
  mailServer = new SMTPServer({
    secure: true,
    authOptional: true,
    cert: readFileSync(join(certificates, 'server.pem')),
    key: readFileSync(join(certificates, 'server-key.pem')),
    onRcptTo: ({ address }, _, done) => {
      if (refusal) return done(Object.assign(new Error('not now'), refusal))
      received.push(address)
      done()
    },
    onData: (stream, _, done) => void stream.on('end', done).resume(),
  })
  mailServer.on('error', () => {})
  await new Promise<void>((resolve) => mailServer?.listen(mailPort, 'localhost', resolve))
}
const closeMailServer = () => new Promise<void>((resolve) => (mailServer ? mailServer.close(resolve) : resolve()))

beforeAll(async () => {
  folder = temporaryDataDir()
  mailPort = await freePort()
  database = await createTestDatabase()
  owner = new pg.Client({ connectionString: database.ownerUrl })
  await owner.connect()
  line = await openFaultyLine(database.ownerUrl)
  settings = {
    NODE_ENV: 'production',
    BASE_URL: `https://${host}`,
    MASTER_KEY: 'qN3uY0wq5c0mG8lq0o2nT1xkq6zQmJ1f7m9bXw3r5sE=',
    SMTP_URL: `smtps://localhost:${mailPort}`,
    SMTP_CA_FILE: join(certificates, 'ca.pem'),
    BOOTSTRAP_EMAIL: 'first@nordvik.example',
    DATABASE_URL: line.urlOf(database.appUrl),
    DATABASE_OWNER_URL: line.urlOf(database.ownerUrl),
  }
  refusal = { responseCode: 451 }
  await openMailServer()
  server = await startServerProcess({ dataDir: folder.dataDir, env: { ...settings, PORT: String(await freePort()) } })
  await server.ready
}, timeout)
afterAll(async () => {
  server?.signal('SIGKILL')
  await server?.ended
  await closeMailServer()
  await line?.close()
  await owner?.end()
  await database?.drop()
  folder?.remove()
}, timeout)

const port = () => /"port":(\d+)/.exec(server.output())?.[1]
const ask = async (path: string, body?: object) => {
  const answer = await request(`http://localhost:${port()}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { host, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  await answer.body.dump()
  return answer.statusCode
}
interface Line {
  level: string
  msg: string
  route?: string
  signal?: string
  err?: { message: string; code?: string }
}
/** The lines that the server has written since. */
const linesSince = (start: number): Line[] =>
  server
    .output()
    .slice(start)
    .split('\n')
    .filter((text) => text.startsWith('{'))
    .map((text) => JSON.parse(text))
const admin = async (...words: string[]) => {
  const env = {
    PATH: process.env.PATH,
    ...settings,
    DATABASE_URL: database.appUrl,
    DATABASE_OWNER_URL: database.ownerUrl,
  }
  const command = [join('server', 'admin.ts'), ...words]
  const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: projectFolder, env })
  return stdout.split('\n').filter((text) => text !== '' && !text.startsWith('{'))
}
/** As after hours without a mail server: the next try is an hour away. */
const waitsAnHour = async () => {
  const tried = async () =>
    (await owner.query(`select from pgboss.job where name = 'mail' and state = 'retry'`)).rowCount
  await expect.poll(tried, { timeout: 30_000 }).toBe(1)
  await owner.query(
    `update pgboss.job set start_after = now() + interval '1 hour' where name = 'mail' and state = 'retry'`,
  )
}

test('signals that daemons get from log rotation and debuggers change nothing in production', { timeout }, async () => {
  const start = server.output().length
  for (const signal of ['SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const) server.signal(signal)
  await expect
    .poll(
      () =>
        linesSince(start)
          .map(({ signal }) => signal)
          .filter(Boolean)
          .sort(),
      { timeout: 5000 },
    )
    .toEqual(['SIGHUP', 'SIGUSR1', 'SIGUSR2'])
  expect(await ask('/health/ready')).toBe(200)
  expect(server.output()).not.toContain('Debugger')
})

test('probes leave no line in the log, and requests do', { timeout }, async () => {
  const start = server.output().length
  for (let probe = 0; probe < 5; probe++) for (const path of ['/health/live', '/health/ready']) await ask(path)
  await ask('/privacy')
  await expect.poll(() => linesSince(start).map(({ route }) => route)).toEqual(['/privacy'])
})

test('another domain than that of the passkeys is refused at the start, in one line that says what to do', {
  timeout,
}, async () => {
  const { rowCount } = await owner.query(
    `with person as (insert into users (account_id, email, first_name, last_name, login_method)
       values (gen_random_uuid(), 'holder@nordvik.example', 'Eva', 'Ek', 'local') returning account_id, email),
     holder as (insert into passkey_holders (account_id, user_handle)
       select account_id, sha256(email::bytea) from person returning account_id)
     insert into passkeys (id, account_id, credential_id, public_key, rp_id, counter, transports, aaguid, discoverable,
       verified, on_the_way, backup_eligible, backed_up, name, created_at, created_browser, created_amr)
     select gen_random_uuid(), account_id, '\\x01', '\\x01', $1, 0, '{}', gen_random_uuid(), true,
       true, false, true, true, 'Phone', now(), 'Chrome', '{}' from holder`,
    [host],
  )
  expect(rowCount).toBe(1)
  const env = { ...settings, PORT: String(await freePort()), PASSKEY_RP_ID: 'nordvik.example' }
  const moved = await startServerProcess({ dataDir: folder.dataDir, env })
  const serves = moved.ready.then(
    () => 'it serves',
    () => moved.ended,
  )
  try {
    expect(await serves).toBe(78)
    expect(moved.output()).toContain(
      `Vestibule cannot start: PASSKEY_RP_ID is nordvik.example, but people have passkeys of ${host}: 1. ` +
        'npm run admin -- passkeys move says who loses what.\n',
    )
  } finally {
    moved.signal('SIGKILL')
  }
})

test('an operator sends what waits after an outage, and reads what became of it', { timeout }, async () => {
  await waitsAnHour()
  expect(await admin('outbox', 'send-waiting')).toEqual([
    'Waited for their next try: 1.',
    'Tried, and will be tried again: 1.',
    expect.stringMatching(/^ {2}[0-9a-f-]{36} {2}SMTP RCPT TO 451$/),
  ])
  await waitsAnHour()
  refusal = undefined
  expect(await admin('outbox', 'send-waiting')).toEqual(['Waited for their next try: 1.', 'Sent: 1.'])
  expect(received).toEqual(['first@nordvik.example'])
  expect(await admin('outbox', 'send-waiting')).toEqual(['Waited for their next try: 0.'])
})

test('a mail server that comes back gets what waited for it within thirty seconds, without anybody doing anything', {
  timeout,
}, async () => {
  await admin('create-super-user', '--email', 'second@nordvik.example')
  await closeMailServer()
  expect(await ask('/api/initiate-password-reset', { email: 'second@nordvik.example' })).toBe(204)
  await waitsAnHour()
  received.length = 0
  await openMailServer()
  const since = performance.now()
  await expect.poll(() => received, { timeout: 60_000, interval: 100 }).toEqual(['second@nordvik.example'])
  const seconds = (performance.now() - since) / 1000
  console.log(`a mail that waited left ${seconds.toFixed(1)} s after the mail server came back`)
  expect(seconds).toBeLessThan(30)
})

test('a database that is lost is one line in the log, and one when it is back', { timeout }, async () => {
  const start = server.output().length
  line.cut()
  const until = Date.now() + 15_000
  let failed = 0
  while (Date.now() < until) {
    const answers = await Promise.all(['/api/me', '/login', '/health/ready', '/api/portal'].map((path) => ask(path)))
    failed += answers.filter((status) => status === 503).length
    await wait(500)
  }
  expect(failed).toBeGreaterThan(20)
  line.mend()
  // What the mail server puts off has nothing to do with it.
  const loud = () => linesSince(start).filter(({ level, msg }) => level !== 'info' && !msg.startsWith('a message'))
  await expect.poll(() => loud().at(-1)?.msg, { timeout: 20_000 }).toBe('the database is back')
  await wait(7000)
  expect(loud().map(({ level, msg, err }) => [level, msg, ...(err ? [err] : [])])).toEqual([
    ['error', 'the database cannot be reached; this line stands for all until it is back'],
    ['warn', 'the database is back'],
  ])
  expect(await ask('/health/ready')).toBe(200)
})
