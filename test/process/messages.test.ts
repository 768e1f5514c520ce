import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { type FaultyLine, openFaultyLine } from './faulty-line.ts'
import { type ServerProcess, startServerProcess, temporaryDataDir } from './server-process.ts'

const timeout = 120_000
const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

async function database(options = {}): Promise<TestDatabase> {
  const made = await createTestDatabase(options)
  undo.push(made.drop)
  return made
}

/** A production process, ended at the end of the test. */
async function start(env: Record<string, string>): Promise<ServerProcess> {
  const place = temporaryDataDir()
  undo.push(place.remove)
  const server = await startServerProcess({
    dataDir: place.dataDir,
    env: {
      NODE_ENV: 'production',
      BASE_URL: 'https://portal.example.com',
      MASTER_KEY: randomBytes(32).toString('base64'),
      SMTP_URL: 'smtps://mail.example.com',
      ...env,
    },
  })
  undo.push(() => {
    server.signal('SIGKILL')
    return server.ended
  })
  return server
}

const linesOf = (server: ServerProcess) =>
  server
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { level: string; msg: string })

test('what is wrong is a warning, one line says that it is ready, and no line of the start has an address', {
  timeout,
}, async () => {
  const { ownerUrl } = await database({ bare: true })
  const server = await start({ DATABASE_URL: ownerUrl, BOOTSTRAP_EMAIL: 'first@nordvik.example', SMTP_CA: '/ca.pem' })
  await server.ready
  const lines = linesOf(server)
  const ready = lines.map(({ msg }) => msg).filter((msg) => /\bready|listening/i.test(msg))
  expect(ready).toEqual(['Vestibule is ready: https://portal.example.com'])
  const warnings = lines.filter(({ level }) => level === 'warn').map(({ msg }) => msg)
  expect(warnings).toContainEqual(expect.stringContaining('SMTP_CA is no setting'))
  expect(warnings).toContainEqual(expect.stringContaining('only triggers protect the audit log'))
  expect(lines.filter(({ level, msg }) => level === 'info' && /warning/i.test(msg))).toEqual([])
  expect(server.output()).not.toContain('nordvik')
  expect(lines.map(({ msg }) => msg)).toContain(
    'The first super user has an invitation by mail, to the address in BOOTSTRAP_EMAIL.',
  )
})

test('two processes of one machine have names of their own', { timeout }, async () => {
  const { appUrl, ownerUrl } = await database()
  const env = { DATABASE_URL: appUrl, DATABASE_OWNER_URL: ownerUrl, MASTER_KEY: randomBytes(32).toString('base64') }
  const nodes = [await start(env), await start(env)]
  for (const { ready } of nodes) await ready
  const names = nodes.map((node) => (linesOf(node).find(({ msg }) => msg === 'starting') as { name?: string }).name)
  expect(new Set(names).size).toBe(2)
  for (const [index, name] of names.entries()) expect(name).toContain(String(nodes[index]?.pid))
})

test.each([
  [
    'while it serves',
    async (line: FaultyLine, server: ServerProcess) => {
      await server.ready
      line.cut()
    },
  ],
  [
    'while it starts',
    async (line: FaultyLine, server: ServerProcess) => {
      line.cut()
      await expect.poll(() => server.output(), { timeout: 60_000 }).toContain('aiting for the database')
    },
  ],
])(
  'a process whose database went away %s ends at once, and not after its time to drain',
  { timeout },
  async (when, lose) => {
    const { appUrl, ownerUrl } = await database()
    const line = await openFaultyLine(appUrl)
    undo.push(() => line.close())
    if (when === 'while it starts') line.cut()
    const urls = { DATABASE_URL: line.urlOf(appUrl), DATABASE_OWNER_URL: line.urlOf(ownerUrl) }
    const server = await start({ ...urls, DRAIN_SECONDS: '60' })
    await lose(line, server)
    const since = performance.now()
    server.signal('SIGTERM')
    expect(await server.ended, server.output()).toBe(0)
    const ms = performance.now() - since
    console.info(`ended after ${Math.round(ms)} ms`)
    // 3 s, on a machine that does nothing else.
    expect(ms).toBeLessThan(10_000)
  },
)

const old = ['/usr/bin/node', '/usr/local/bin/node'].find(
  (node) =>
    existsSync(node) && Number(/^v(\d+)/.exec(execFileSync(node, ['--version'], { encoding: 'utf8' }))?.[1]) < 24,
)
test.runIf(old)('an older Node says which one is needed, for the server and for admin commands', () => {
  const root = join(import.meta.dirname, '..', '..')
  for (const options of [['server/main.mjs'], ['--import', './server/node-version.mjs', 'server/admin.ts', 'help']]) {
    const { status, stderr } = spawnSync(old ?? '', options, { cwd: root, encoding: 'utf8' })
    expect([status, stderr]).toEqual([
      78,
      expect.stringMatching(/^Vestibule cannot start: Node 24 is needed, and this is [\d.]+\.\n$/),
    ])
  }
})
