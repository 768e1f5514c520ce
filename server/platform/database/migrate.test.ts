import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { migrate } from './migrate.ts'

const directory = mkdtempSync(join(tmpdir(), 'vestibule-migrations-'))
const write = (name: string, sql: string) => writeFileSync(join(directory, name), sql)
let database: TestDatabase
let owner: pg.Client
let app: pg.Client

beforeAll(async () => {
  cpSync(join(import.meta.dirname, '../../migrations'), directory, { recursive: true })
  database = await createTestDatabase()
  owner = new pg.Client(database.ownerUrl)
  app = new pg.Client(database.appUrl)
  await Promise.all([owner.connect(), app.connect()])
})
afterAll(async () => {
  await Promise.all([owner?.end(), app?.end()])
  await database?.drop()
  rmSync(directory, { recursive: true })
})

const run = (said: string[] = []) =>
  migrate({
    ownerUrl: database.ownerUrl,
    appRole: new URL(database.appUrl).username,
    directory,
    say: (line) => said.push(line),
  })
const next = async () => {
  const { rows } = await owner.query('select max(number) + 1 as next from migrations')
  return String(rows[0].next).padStart(4, '0')
}

describe('the serving role', () => {
  test.each([
    ['change an audit event', `update audit_events set name = 'x'`],
    ['delete an audit event', 'delete from audit_events'],
    ['empty the audit log', 'truncate audit_events'],
    ['move the head of the chain', 'update audit_head set seq = 7'],
    ['take an event out of the queue', 'delete from audit_events where not sealed'],
    ['write into the chain', 'insert into audit_chain select * from audit_chain'],
    ['read a partition past its table', 'select from audit_events_other'],
    ['switch the triggers off', 'alter table audit_events disable trigger all'],
    ['pretend a migration', 'insert into migrations values (99, $$x$$, $$x$$)'],
    ['make a table', 'create table mine ()'],
    ['drop a table', 'drop table limits'],
  ])('cannot %s', async (_, statement) => {
    await expect(app.query(statement)).rejects.toMatchObject({ code: '42501' })
  })

  test('adds an audit event and queues a job', async () => {
    await app.query(`insert into audit_events (id, name, created_at) values (gen_random_uuid(), 'loginSuccess', now())`)
    const { rows } = await app.query(
      'select seal_audit_events(1) as sealed, (select count(*) from audit_events) as events',
    )
    expect([Number(rows[0].sealed), Number(rows[0].events)]).toEqual([1, 1])
    await app.query(`insert into pgboss.job (name, data) values ('mail', '{}')`)
  })
})

describe('what acts with the rights of the owner', () => {
  const mayCall = async (client: pg.Client, role: string) => {
    const { rows } = await client.query(
      `select proname as name, has_function_privilege($1, oid, 'execute') as may from pg_proc
       where prosecdef and proowner = quote_ident(current_user)::regrole`,
      [role],
    )
    return { functions: rows.length, allowed: rows.filter(({ may }) => may).length }
  }

  test('is called by the serving role, and by no other that can connect, also when it comes later', async () => {
    const { functions } = await mayCall(owner, 'public')
    expect(functions).toBeGreaterThan(8)
    write(
      `${await next()}-act.sql`,
      `create function act(thing text) returns void language sql security definer as 'select'`,
    )
    await run()
    expect(await mayCall(owner, 'public')).toEqual({ functions: functions + 1, allowed: 0 })
    const { username } = new URL(database.appUrl)
    expect(await mayCall(owner, username)).toEqual({ functions: functions + 1, allowed: functions + 1 })
  })

  test('is called by the owner alone where that one serves', async () => {
    const { ownerUrl, drop } = await createTestDatabase({ bare: true })
    const client = new pg.Client(ownerUrl)
    await client.connect()
    try {
      const { appRole } = await migrate({ ownerUrl, say: () => {} })
      const { functions, allowed } = await mayCall(client, 'public')
      expect([functions > 8, allowed]).toEqual([true, 0])
      if (appRole) expect(await mayCall(client, appRole)).toEqual({ functions, allowed: functions })
    } finally {
      await client.end()
      await drop()
    }
  })
})

describe('migrations', () => {
  test('print nothing when there is nothing to do', async () => {
    const said: string[] = []
    await run(said)
    expect(said).toEqual([])
  })

  test('run once when several processes start at once, and the serving role gets the new table', async () => {
    const number = await next()
    write(`${number}-apples.sql`, 'create table apples (id integer generated always as identity)')
    const said: string[] = []
    await Promise.all([run(said), run(said), run(said)])
    expect(said).toEqual(['Applying 1 database migration ...'])
    await app.query('insert into apples default values')
  })

  test('warn the operator about what needs a decision', async () => {
    write(`${await next()}-twins.sql`, `do $$ begin raise warning 'two of one'; raise notice 'nothing much'; end $$`)
    const said: string[] = []
    await run(said)
    expect(said).toContain('Warning: two of one')
    expect(said.join()).not.toContain('nothing much')
  })

  test('let others go on while a long transaction uses the table, and run when that is over', async () => {
    write(`${await next()}-users.sql`, 'alter table users add column shoe_size integer')
    const reader = new pg.Client(database.appUrl)
    await reader.connect()
    await reader.query('begin; select from users')
    const said: string[] = []
    const migrated = run(said)
    await expect.poll(() => said.join()).toContain('waits for the transactions of others')
    await app.query(`set statement_timeout = '5s'; select from users; reset statement_timeout`)
    await reader.query('commit')
    await reader.end()
    await migrated
    await app.query('select shoe_size from users')
  })

  test('leave nothing behind when one fails', async () => {
    const name = `${await next()}-broken.sql`
    write(name, 'create table pears (); select nonsense')
    await expect(run()).rejects.toThrow(`${name} failed: column "nonsense" does not exist`)
    const { rows } = await owner.query(`select to_regclass('pears') as pears`)
    expect(rows[0].pears).toBeNull()
    rmSync(join(directory, name))
  })

  test('refuse a file that was changed after it ran', async () => {
    const { rows } = await owner.query(`select name from migrations where name like '%apples%'`)
    write(rows[0].name, 'create table apples (other integer)')
    await expect(run()).rejects.toThrow(`${rows[0].name} differs`)
    write(rows[0].name, 'create table apples (id integer generated always as identity)')
    await run()
  })

  test('refuse a gap in the numbers', async () => {
    write('0999-late.sql', 'select 1')
    await expect(run()).rejects.toThrow('without a gap')
    rmSync(join(directory, '0999-late.sql'))
  })

  test('refuse a database that is newer than the code', async () => {
    await owner.query(`insert into migrations values (1000, '1000-future.sql', 'x')`)
    await owner.query(`comment on table migrations is null`)
    await expect(run()).rejects.toThrow('newer than this version: it has 1000-future.sql')
  })
})
