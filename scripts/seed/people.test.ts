import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Services } from '#server/accounts/group-access.repository.ts'
import { applyGroups } from '#server/accounts/group-access.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'

const amounts = { users: 500, organizations: 20, services: 30, assignments: 2000 }

let database: TestDatabase
let client: pg.Client
let shapeBefore: unknown[]

const rowsOf = async (statement: string) => (await client.query(statement)).rows
const shape = () =>
  rowsOf(`select indexdef as part from pg_indexes where schemaname = 'public'
    union all select concat(conname, pg_get_constraintdef(oid)) from pg_constraint where connamespace = 'public'::regnamespace
    union all select concat(tgname, tgenabled) from pg_trigger where not tgisinternal order by 1`)

beforeAll(async () => {
  database = await createTestDatabase()
  client = new pg.Client({ connectionString: database.ownerUrl })
  await client.connect()
  shapeBefore = await shape()
  const options = Object.entries(amounts).flatMap(([name, amount]) => [`--${name}`, String(amount)])
  const folder = mkdtempSync(join(tmpdir(), 'vestibule-seed-'))
  const { PATH = '' } = process.env
  const env = { PATH, DATABASE_URL: database.appUrl, DATABASE_OWNER_URL: database.ownerUrl, DATA_DIR: folder }
  execFileSync(process.execPath, [join(import.meta.dirname, 'run.ts'), ...options], { env })
  rmSync(folder, { recursive: true })
})
afterAll(async () => {
  await client?.end()
  await database?.drop()
})

test('the seed adds what was asked for, and leaves every index, constraint and trigger as it was', async () => {
  // Beside the demo, whose ids are not of this kind.
  const seeded = (table: string, kind: number, id: string) =>
    `(select count(*)::integer from ${table} where ${id}::text like '%-700${kind}-%')`
  const [counts] = await rowsOf(`select ${seeded('users', 3, 'account_id')} as users,
    ${seeded('organizations', 1, 'organization_id')} as organizations, ${seeded('services', 2, 'service_id')} as services,
    ${seeded('service_assignments', 3, 'account_id')} as assignments`)
  expect(counts).toEqual(amounts)
  expect(
    await rowsOf(`select ${seeded('organization_roles', 5, 'role_id')} as roles, ${seeded('groups', 6, 'group_id')} as groups,
      ${seeded('all_grants', 3, 'account_id')} > 20 as given, ${seeded('group_members', 6, 'group_id')} > 40 as members`),
  ).toEqual([{ roles: 50, groups: 20, given: true, members: true }])
  expect(await shape()).toEqual(shapeBefore)
})

test('what the seed counts and copies is what the triggers would', async () => {
  const state = async () => [
    // The order of the organisations in the words does not matter.
    await rowsOf(`select to_jsonb(directory) - 'search' as row, array(select string_to_table(search, E'\\n') order by 1) as words
      from directory order by account_id`),
    await rowsOf('select account_id, organization_id, email, first_name, last_name from memberships order by 1, 2'),
  ]
  const seeded = await state()
  await client.query(`update memberships set email = '', first_name = '', last_name = ''; delete from directory`)
  await client.query('select describe_people(array(select account_id from users))')
  await client.query('select list_invitations(array(select invitation_id from invitations))')
  expect(await state()).toEqual(seeded)
  expect(
    await rowsOf(`select from organization_services o where seats_used <> (
      select count(*) from service_assignments a
      where a.organization_id = o.organization_id and a.service_id = o.service_id)`),
  ).toEqual([])
  const handedOut = () => rowsOf('select * from service_assignments order by account_id, service_id')
  const before = await handedOut()
  const places = (await rowsOf(
    `select organization_id as "organizationId", array_agg(distinct service_id) as "serviceIds"
     from group_services group by organization_id`,
  )) as Services[]
  const { db, close } = openDatabase({ url: database.appUrl })
  for (const services of places) await db.transaction().execute((trx) => applyGroups(trx, services))
  await close()
  expect(await handedOut()).toEqual(before)
  expect(
    await rowsOf(`select from organizations o where member_count <> (
      select count(*) from memberships m where m.organization_id = o.organization_id)`),
  ).toEqual([])
})
