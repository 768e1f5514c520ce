import { execFile, spawnSync } from 'node:child_process'
import { chownSync, existsSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { holdSocket } from './held-socket.ts'
import { postgresPid, type ServerProcess, startServerProcess, temporaryDataDir } from './server-process.ts'

const projectFolder = join(import.meta.dirname, '..', '..')
const isRoot = process.getuid?.() === 0
// The uid of the unprivileged account `nobody`.
const nobody = 65534

let dataDir: string
let remove: () => void
let started: ServerProcess[]

beforeEach(() => {
  const folder = temporaryDataDir()
  dataDir = folder.dataDir
  remove = folder.remove
  started = []
})
afterEach(async () => {
  for (const server of started) server.signal('SIGKILL')
  await Promise.all(started.map((server) => server.ended))
  const pid = postgresPid(dataDir)
  if (pid) process.kill(pid, 'SIGKILL')
  remove()
})

async function start(options: Omit<Parameters<typeof startServerProcess>[0], 'dataDir'> = {}) {
  const server = await startServerProcess({ dataDir, ...options })
  started.push(server)
  return server
}

async function startReady(options: Omit<Parameters<typeof startServerProcess>[0], 'dataDir'> = {}) {
  const server = await start(options)
  await server.ready
  return server
}

const admin = async (...words: string[]) => {
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir }
  const { stdout } = await promisify(execFile)(process.execPath, [join('server', 'admin.ts'), ...words], {
    cwd: projectFolder,
    env,
  })
  return stdout
}
const isHealthy = async ({ url }: ServerProcess) => (await fetch(`${url}/health/ready`)).ok
const timeout = 120_000

test('after kill -9 of the server the next start continues with the database, and nothing is lost', {
  timeout,
}, async () => {
  const first = await startReady()
  await admin('create-super-user', '--email', 'anna@nordvik.example')
  first.signal('SIGKILL')
  expect(await first.ended).toBe('SIGKILL')
  const left = postgresPid(dataDir)
  expect(left).toBeDefined()

  const second = await startReady()
  expect(postgresPid(dataDir)).toBe(left)
  expect(await isHealthy(second)).toBe(true)
  expect(await admin('create-super-user', '--email', 'anna@nordvik.example')).toContain('already')

  // Simulates a power cut: only the files are left.
  second.signal('SIGKILL')
  process.kill(left ?? 0, 'SIGKILL')
  await second.ended
  const third = await startReady()
  expect(await admin('create-super-user', '--email', 'anna@nordvik.example')).toContain('already')
  third.signal('SIGTERM')
  expect(await third.ended).toBe(0)
  expect(postgresPid(dataDir)).toBeUndefined()
})

test('two processes that start concurrently share the database, and the last one stops it', { timeout }, async () => {
  const [first, second] = await Promise.all([startReady(), startReady()])
  first.signal('SIGTERM')
  expect(await first.ended).toBe(0)
  expect(postgresPid(dataDir)).toBeDefined()
  expect(await isHealthy(second)).toBe(true)
  second.signal('SIGINT')
  expect(await second.ended).toBe(0)
  expect(postgresPid(dataDir)).toBeUndefined()
})

test('SIGTERM finishes the request in progress and accepts no other', { timeout }, async () => {
  const server = await startReady()
  const { port, host } = new URL(server.url)
  const body = JSON.stringify({ url: '/', error: 'half of this comes late' })
  const socket = connect(Number(port), '127.0.0.1')
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk
  })
  const closed = new Promise((resolve) => socket.on('close', resolve))
  const head = [
    'POST /client-errors HTTP/1.1',
    `host: ${host}`,
    `origin: ${server.url}`,
    'content-type: application/json',
  ]
  await new Promise<void>((resolve) =>
    socket.write(`${[...head, `content-length: ${body.length}`].join('\r\n')}\r\n\r\n${body.slice(0, 5)}`, () =>
      resolve(),
    ),
  )
  // The server has received the first half once it answers a later request.
  await fetch(`${server.url}/health/live`, { headers: { connection: 'close' } })
  server.signal('SIGTERM')
  const isRefused = () =>
    fetch(server.url).then(
      () => false,
      () => true,
    )
  await expect.poll(isRefused, { timeout: 8000 }).toBe(true)
  socket.write(body.slice(5))
  await closed
  expect(answer).toMatch(/^HTTP\/1\.1 204 /)
  // Otherwise the connection is kept alive until the server loses its patience.
  expect(answer).toMatch(/\r\nconnection: close\r\n/)
  expect(await server.ended).toBe(0)
  expect(postgresPid(dataDir)).toBeUndefined()
})

test('who connects between two processes of a held socket is answered by the second', { timeout }, async () => {
  const socket = holdSocket()
  const startHeld = () => startReady({ env: { PORT: socket.port }, socket: socket.fd })
  const first = await startHeld()
  expect(await isHealthy(first)).toBe(true)
  first.signal('SIGTERM')
  expect(await first.ended).toBe(0)

  const answers = Promise.all([isHealthy(first), isHealthy(first)])
  const second = await startHeld()
  expect(await answers).toEqual([true, true])

  // A port that is held is no port in use: another process is told so.
  const other = await start({ env: { PORT: socket.port } })
  expect(await other.ended).toBe(1)
  expect(other.output()).toContain(`port ${socket.port} is in use already`)
  second.signal('SIGTERM')
  expect(await second.ended).toBe(0)
  socket.close()
})

test('a port in use is reported in one line, before a database is made', { timeout }, async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const address = other.address()
  const port = typeof address === 'object' && address ? String(address.port) : ''
  const server = await start({ env: { PORT: port } })
  expect(await server.ended).toBe(1)
  expect(server.output()).toContain(`Vestibule cannot start: port ${port} is in use already`)
  expect(server.output()).not.toContain(' at ')
  expect(server.output()).not.toContain('PostgreSQL')
  expect(existsSync(join(dataDir, 'postgres'))).toBe(false)
  other.close()
})

test('the demo says all that a visitor needs in one piece, and goes round ports that are taken', {
  timeout,
}, async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const taken = String((other.address() as AddressInfo).port)
  const server = await startReady({
    env: { DEMO: 'on', LOG_LEVEL: 'debug', DEMO_IDP_PORT: taken, DEMO_SERVICES_PORT: taken },
  })
  await expect.poll(() => server.output()).toMatch(/Stop with Ctrl\+C\./)
  const [beforeLog = ''] = server.output().split('\n{')
  for (const part of ['super@vestibule.example', `${server.url}/dev/outbox`, `${server.url}/dev/bankid`, 'Stop with'])
    expect(beforeLog).toContain(part)
  const clients = (await admin('clients', 'list')).trim().split('\n')
  expect(clients).toHaveLength(10)
  const origins = new Set(clients.map((line) => new URL(/http:\S+callback/.exec(line)?.[0] ?? '').origin))
  expect([...origins]).not.toContain(`http://127.0.0.1:${taken}`)
  const [origin = ''] = origins
  const page = await fetch(`${origin}/journal/`, { redirect: 'manual' })
  expect(page.headers.get('location')).toContain(`${server.url}/oidc/auth?`)
  other.close()
})

test('production reports all missing settings in one line and exits with 78', { timeout }, async () => {
  const server = await start({ env: { NODE_ENV: 'production', BASE_URL: '', DEMO: 'on' } })
  expect(await server.ended).toBe(78)
  expect(server.output().trim().split('\n')).toHaveLength(1)
  for (const setting of ['BASE_URL', 'MASTER_KEY', 'DATABASE_URL', 'SMTP_URL', 'DEMO']) {
    expect(server.output()).toContain(setting)
  }
})

test('a limit that does not exist ends the start with 78, before the database is touched', { timeout }, async () => {
  const server = await start({ env: { LIMIT_AUTHTYPE: '30/60' } })
  expect(await server.ended).toBe(78)
  expect(server.output().trim()).toBe('Vestibule cannot start: LIMIT_AUTHTYPE is no limit: LIMIT_AUTH_TYPE is')
  expect(existsSync(join(dataDir, 'postgres'))).toBe(false)
})

test('the start says its version, database, role and migration, and which setting is misspelled', {
  timeout,
}, async () => {
  const server = await startReady({ env: { LOG_LEVEL: 'info', SESSION_IDLE_MINUTE: '5-hemligt', HOSTNAME: 'node1' } })
  server.signal('SIGTERM')
  await server.ended
  const lines = server.output().split('\n')
  const logged = lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line))
  expect(logged.find(({ msg }) => msg === 'starting')).toMatchObject({
    version: expect.stringMatching(/^\d/),
    node: process.version,
    postgres: expect.stringMatching(/^18\./),
    databaseRole: 'vestibule_app',
    migration: expect.stringMatching(/^\d{4}-/),
  })
  const warned = logged.filter(({ level }) => level === 'warn').map(({ msg }) => msg)
  expect(warned).toContain('SESSION_IDLE_MINUTE is no setting: SESSION_IDLE_MINUTES is')
  expect(warned.filter((msg) => msg.includes('is no setting'))).toHaveLength(1)
  expect(server.output()).not.toContain('hemligt')
})

const mainFile = join(projectFolder, 'server', 'main.mjs')
const readableByAll = isRoot && spawnSync('test', ['-r', mainFile], { cwd: '/', uid: nobody }).status === 0

// Skipped if the tests already run as an ordinary account, or only root can read the project.
test.skipIf(!readableByAll)('an ordinary account needs nothing outside its data folder', { timeout }, async () => {
  chownSync(dataDir, nobody, nobody)
  const server = await startReady({ uid: nobody })
  expect(await isHealthy(server)).toBe(true)
  expect(server.output()).not.toContain('As root')
  server.signal('SIGTERM')
  expect(await server.ended).toBe(0)
  expect(postgresPid(dataDir)).toBeUndefined()
})
