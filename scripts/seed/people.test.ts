import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { onBareTables } from './bare-tables.ts'
import { addRows } from './people.ts'

const amounts = { users: 500, organizations: 20, services: 30, assignments: 2000 }
const words = {
  firstNames: ['Åsa', 'Per'],
  lastNames: ['Öberg', 'Ek'],
  organizations: ['Nordvik AB'],
  services: ['Lön'],
}

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
  await client.query('begin')
  await onBareTables(client, () => addRows(client, amounts, words))
  await client.query('commit')
})
afterAll(async () => {
  await client?.end()
  await database?.drop()
})

test('the seed adds what was asked for, and leaves every index, constraint and trigger as it was', async () => {
  const [counts] = await rowsOf(`select (select count(*)::integer from users) as users,
    (select count(*)::integer from organizations) as organizations, (select count(*)::integer from services) as services,
    (select count(*)::integer from service_assignments) as assignments`)
  expect(counts).toEqual(amounts)
  expect(
    await rowsOf(`select (select count(*)::integer from organization_roles) as roles, (select count(*)::integer from groups) as groups,
      (select count(*) > 20 from role_grants) as given, (select count(*) > 40 from group_members) as members`),
  ).toEqual([{ roles: 50, groups: 20, given: true, members: true }])
  expect(await shape()).toEqual(shapeBefore)
})

test('what the seed counts and copies is what the triggers would', async () => {
  const state = async () => [
    await rowsOf('select * from directory order by account_id'),
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
  await client.query(
    `select apply_groups(organization_id, array_agg(service_id)) from group_services group by organization_id`,
  )
  expect(await handedOut()).toEqual(before)
  expect(
    await rowsOf(`select from organizations o where member_count <> (
      select count(*) from memberships m where m.organization_id = o.organization_id)`),
  ).toEqual([])
})
