import { expect, test } from 'vitest'
import { secret } from './platform/secret.ts'
import { waitForDatabase } from './wait-for-database.ts'

const full = () => Object.assign(new Error('sorry, too many clients already'), { code: '53300' })
const lines: string[] = []
const say = (line: string) => void lines.push(line)

test('a step that finds no free connection is tried again', async () => {
  let tries = 0
  const step = async () => {
    if (++tries < 3) throw new Error('DATABASE_URL: the database cannot be reached', { cause: full() })
    return 'done'
  }
  expect(await waitForDatabase(step, { config: { databaseUrl: undefined }, say })).toBe('done')
  expect(lines).toEqual(['Warning: waiting for the database (sorry, too many clients already) ...'])
})

test.each([
  ['DATABASE_URL', secret('postgres://portal@db.example/portal')],
  ['set DATABASE_URL', undefined],
])('it gives up with one line that names the setting (%s)', async (words, databaseUrl) => {
  const step = () => Promise.reject(full())
  const failure = await waitForDatabase(step, { config: { databaseUrl }, say, patience: -1 }).catch((error) => error)
  expect(failure.name).toBe('DatabaseStartError')
  expect(failure.message).toContain(words)
  expect(failure.message).toContain('sorry, too many clients already')
  expect(failure.message).not.toContain('\n')
})

test.each([
  Object.assign(new Error('password authentication failed'), { code: '28P01' }),
  Object.assign(new Error('no such file'), { code: 'ENOENT', syscall: 'open' }),
])('what waiting does not mend fails at once: $message', async (error) => {
  await expect(waitForDatabase(() => Promise.reject(error), { config: { databaseUrl: undefined }, say })).rejects.toBe(
    error,
  )
})
