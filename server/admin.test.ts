import { execFile } from 'node:child_process'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'

const key = 'qN3uY0wq5c0mG8lq0o2nT1xkq6zQmJ1f7m9bXw3r5sE='
let database: TestDatabase
let owner: pg.Client

beforeAll(async () => {
  database = await createTestDatabase()
  owner = new pg.Client(database.ownerUrl)
  await owner.connect()
})
afterAll(async () => {
  await owner?.end()
  await database?.drop()
})

interface Answer {
  code: number
  out: string
  err: string
}

const admin = (...words: string[]): Promise<Answer> =>
  new Promise((resolve) => {
    const env = {
      PATH: process.env.PATH,
      DATABASE_URL: database.appUrl,
      DATABASE_OWNER_URL: database.ownerUrl,
      MASTER_KEY: key,
    }
    execFile(process.execPath, [join(import.meta.dirname, 'admin.ts'), ...words], { env }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err }),
    )
  })

test('help lists the commands', async () => {
  const { code, out } = await admin('help')
  expect(code).toBe(0)
  for (const name of ['create-super-user', 'audit verify', 'keys rotate', 'settings']) expect(out).toContain(name)
})

test.each([
  [['nonsense'], 'There is no command "nonsense"'],
  [['create-super-user'], '--email is missing'],
  [['create-super-user', '--email', 'nobody'], 'nobody is not an e-mail address'],
  [['create-super-user', '--mail', 'a@nordvik.example'], "Unknown option '--mail'"],
  [['keys', 'rotate'], 'name one purpose, or --all'],
  [['keys', 'rotate', 'spare'], 'there is no purpose spare'],
  [['audit', 'verify', '--known', 'x'], '--known takes a row and its hash'],
])('%j is refused with the usage', async (words, message) => {
  const { code, err } = await admin(...words)
  expect(code).toBe(2)
  expect(err).toContain(message)
})

test('a super user is made once, with a password to be changed, and the audit log stays intact', async () => {
  const made = await admin('create-super-user', '--email', 'Anna@Nordvik.example', '--first-name', 'Anna')
  expect(made).toMatchObject({ code: 0, err: '' })
  expect(made.out).toMatch(
    /anna@nordvik\.example is a super user now\.\nTemporary password: (?=.*[A-Z])(?=.*[0-9])\S{19}\n/,
  )
  const { rows } = await owner.query('select super_user, password_must_change, first_name from users')
  expect(rows).toEqual([{ super_user: true, password_must_change: true, first_name: 'Anna' }])
  const again = await admin('create-super-user', '--email', 'anna@nordvik.example')
  expect(again.out).toContain('is a super user already')
  const audit = await admin('audit', 'verify')
  expect(audit).toMatchObject({ code: 0, out: expect.stringMatching(/intact: 1 events, head 1:[0-9a-f]{64}/) })
})

test('audit verify names the row that the owner of the database changed', async () => {
  await owner.query('alter table audit_events disable trigger all')
  await owner.query(`update audit_events set actor = 'somebody else'`)
  const { code, out } = await admin('audit', 'verify')
  expect(code).toBe(1)
  expect(out).toMatch(/broken at row 1 .*its content was changed/)
})

test('a rotation begins once', async () => {
  await admin('keys', 'rotate', 'fields')
  await admin('keys', 'rotate', 'fields')
  const { out } = await admin('keys', 'list')
  expect(out.match(/^fields +next/gm)).toHaveLength(1)
})
