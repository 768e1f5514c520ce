import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { type FaultyLine, openFaultyLine } from './faulty-line.ts'
import { type ServerProcess, startServerProcess, temporaryDataDir } from './server-process.ts'

const timeout = 240_000
let database: TestDatabase
let line: FaultyLine
let server: ServerProcess
let folder: ReturnType<typeof temporaryDataDir>
beforeAll(async () => {
  folder = temporaryDataDir()
  database = await createTestDatabase()
  line = await openFaultyLine(database.ownerUrl)
  const env = {
    LIMIT_TOKEN_LOOKUP: '9999/600',
    DATABASE_URL: line.urlOf(database.appUrl),
    DATABASE_OWNER_URL: line.urlOf(database.ownerUrl),
  }
  server = await startServerProcess({ dataDir: folder.dataDir, env })
  await server.ready
}, timeout)
afterAll(async () => {
  server?.signal('SIGKILL')
  await server?.ended
  await line?.close()
  await database?.drop()
  folder?.remove()
  if (process.env.FAULT_SECONDS) console.log('slowest, ms:', slowest)
})

/** Status and milliseconds of a request; 0: no answer within 15 s. */
async function ask(path: string): Promise<{ status: number; ms: number }> {
  const since = performance.now()
  const status = await fetch(server.url + path, { redirect: 'manual', signal: AbortSignal.timeout(15_000) }).then(
    async (response) => {
      await response.arrayBuffer()
      return response.status
    },
    () => 0,
  )
  return { status, ms: performance.now() - since }
}
// An invitation that does not exist.
const needsDatabase = '/api/invites?token=none'
const needsNoDatabase = ['/health/live', '/privacy', '/.well-known/security.txt']

const slowest: Record<string, number> = {}

/** Asks for pages that need no database while others wait for it. @returns what the others got */
async function asksBoth(): Promise<number[]> {
  const waiting = Array.from({ length: 30 }, () => ask(needsDatabase))
  await wait(200)
  for (const path of needsNoDatabase) {
    const { status, ms } = await ask(path)
    expect([path, status]).toEqual([path, 200])
    slowest[path] = Math.max(slowest[path] ?? 0, Math.round(ms))
    expect(ms, path).toBeLessThan(1000)
  }
  return (await Promise.all(waiting)).map(({ status }) => status)
}
const isReady = async () => (await ask('/health/ready')).status
const works = async () => {
  expect((await ask(needsDatabase)).status).toBe(404)
  expect(await isReady()).toBe(200)
}

test('what needs no database is served while the database is slow, and everything else arrives late', {
  timeout,
}, async () => {
  await works()
  line.delay(150)
  expect(new Set(await asksBoth())).toEqual(new Set([404]))
  line.mend()
  await works()
})

test('while the database says nothing everybody gets an error in time, and afterwards everything works', {
  timeout,
}, async () => {
  line.silence()
  const since = performance.now()
  expect(new Set(await asksBoth())).toEqual(new Set([503]))
  expect(performance.now() - since).toBeLessThan(12_000)
  expect(await isReady()).toBe(503)
  line.mend()
  await expect.poll(isReady, { timeout: 10_000 }).toBe(200)
  await works()
})

test('a database that is gone and comes back is used again within seconds', { timeout }, async () => {
  line.cut()
  await wait(Number(process.env.FAULT_SECONDS ?? 0) * 1000)
  expect(new Set(await asksBoth())).toEqual(new Set([503]))
  expect(await isReady()).toBe(503)
  line.mend()
  await expect.poll(isReady, { timeout: 10_000 }).toBe(200)
  await works()
})
