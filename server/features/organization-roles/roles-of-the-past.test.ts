import { afterAll, beforeAll, expect, test } from 'vitest'
import { setAccessDay } from '#test/access-day.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await testApp()
  await setAccessDay(portal, '2026-12-01')
})
afterAll(() => portal?.close())

test('who belongs to an organisation no longer, or not yet, holds none of its roles today and decides over nobody', async () => {
  const { pool } = portal.system
  const { organizationId } = await portal.organization()
  const { rows: own } = await pool.query(
    `insert into organization_roles (role_id, organization_id, name, permissions)
      values (gen_random_uuid(), $1, 'Gives roles', '{giveRoles}') returning role_id`,
    [organizationId],
  )
  const { accountId } = await portal.person()
  await portal.join(accountId, organizationId)
  await portal.give(accountId, organizationId, own[0].role_id)
  const holds = async (from: string | null, until: string | null) => {
    await pool.query('update memberships set valid_from = $2, valid_until = $3 where account_id = $1', [
      ...[accountId, from, until],
    ])
    const { rows } = await pool.query(
      `select decides_over_others($1, $2) as decides,
        (select count(*)::integer from held_roles where account_id = $1 and organization_id = $2) as roles`,
      [accountId, organizationId],
    )
    return rows[0]
  }
  const nothing = { decides: false, roles: 0 }
  const all = { decides: true, roles: 1 }
  expect(await holds(null, null)).toEqual(all)
  expect(await holds('2026-12-01', '2026-12-01')).toEqual(all)
  expect(await holds(null, '2026-11-30')).toEqual(nothing)
  expect(await holds('2026-12-02', null)).toEqual(nothing)
})
