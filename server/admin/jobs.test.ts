import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { nextRun } from '#server/platform/jobs/next-run.ts'
import { type ConnectedDatabase, connectTestDatabase } from '#test/connected-database.ts'
import { type Command, UsageError } from './command.ts'
import { command as list } from './jobs-list.ts'
import { command as run } from './jobs-run.ts'

const MASTER_KEY = 'qN3uY0wq5c0mG8lq0o2nT1xkq6zQmJ1f7m9bXw3r5sE='
let database: ConnectedDatabase
beforeAll(async () => {
  database = await connectTestDatabase()
})
afterAll(() => database.close())

async function call(command: Command, positionals: string[] = []) {
  const lines: string[] = []
  const env = { DATABASE_URL: database.appUrl, DATABASE_OWNER_URL: database.ownerUrl, MASTER_KEY, LOG_LEVEL: 'silent' }
  const code = await command.run({ config: readConfig(env), values: {}, positionals, say: (line) => lines.push(line) })
  return { code, lines }
}
const lineOf = async (name: string) => (await call(list)).lines.find((line) => line.startsWith(name))

test('an operator sees all jobs, and runs one now', async () => {
  const names = (await call(list)).lines.map((line) => line.split(' ', 1)[0])
  expect(names).toEqual(expect.arrayContaining(['remove-expired', 'audit-head', 'audit-months', 'passive-users']))
  expect(new Set(names).size).toBe(names.length)
  expect(await lineOf('passive-users')).toMatch(/^passive-users +last never +next \S+T02:17:00\.000Z$/)
  expect(await call(run, ['passive-users'])).toMatchObject({ code: 0 })
  expect(await lineOf('passive-users')).toMatch(/last 2\S+Z +next/)
})

test('a job that does not exist is named', async () => {
  await expect(call(run, ['passive'])).rejects.toThrow(new UsageError('unknown job passive'))
  await expect(call(run)).rejects.toThrow(UsageError)
})

test.each([
  ['17 2 * * *', '2026-11-22T02:17:00Z', '2026-11-23T02:17:00.000Z'],
  ['17 2 * * *', '2026-11-22T02:16:59Z', '2026-11-22T02:17:00.000Z'],
  ['23 * * * *', '2026-12-31T23:30:00Z', '2027-01-01T00:23:00.000Z'],
  ['*/5 * * * *', '2026-11-22T12:01:00Z', '2026-11-22T12:05:00.000Z'],
])('%s after %s is %s', (cron, now, next) => {
  expect(nextRun(cron, new Date(now)).toISOString()).toBe(next)
})

test.each(['17 2 * * 1', '1-5 * * * *', '99 * * * *'])('%s is refused', (cron) => {
  expect(() => nextRun(cron, new Date('2026-11-22T12:00:00Z'))).toThrow()
})
