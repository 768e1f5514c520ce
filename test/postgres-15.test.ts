import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { onPostgres15 } from './postgres-15.ts'

const cwd = join(import.meta.dirname, '..')
const files = globSync('{server,test}/**/*.ts', { cwd })
const isTest = (path: string) => path.endsWith('.test.ts')
const runsTwice = (path: string) => isTest(path) && onPostgres15.includes(basename(path, '.test.ts'))
const asksTheDatabase = (path: string) =>
  /\bsql`|\.(selectFrom|insertInto|updateTable|deleteFrom)\(/.test(readFileSync(join(cwd, path), 'utf8'))

test('every name in the list of PostgreSQL 15 is that of a test', () => {
  const missing = onPostgres15.filter((name) => !files.some((path) => path.endsWith(`/${name}.test.ts`)))
  expect(missing).toEqual([])
})

test('every room of the server that asks the database has a test on PostgreSQL 15', () => {
  const rooms = new Set(files.filter((path) => path.startsWith('server/')).map((path) => dirname(path)))
  const forgotten = [...rooms].filter((room) => {
    const own = files.filter((path) => dirname(path) === room)
    return own.some(isTest) && !own.some(runsTwice) && own.some((path) => !isTest(path) && asksTheDatabase(path))
  })
  expect(forgotten).toEqual([])
})
