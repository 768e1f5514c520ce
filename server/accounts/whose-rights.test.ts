import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { rolePermissions } from '#contract/organization-roles/role-permissions.ts'
import { setAccessDay } from '#test/access-day.ts'
import type { Person } from '#test/people.ts'
import { type TestApp, testApp } from '#test/test-app.ts'
import { findScopedUntil, hasStandingAdmin, lockScopedUntil } from './own-permissions.repository.ts'
import { listMemberships } from './roles.repository.ts'

let portal: TestApp
let person: Person
let home: { organizationId: string }
beforeAll(async () => {
  portal = await testApp()
  await setAccessDay(portal, '2026-12-01')
})
afterAll(() => portal?.close())
beforeEach(async () => {
  home = await portal.organization()
  person = await portal.person()
  await portal.join(person.accountId, home.organizationId)
})

const day = (text: string) => new Date(`${text}T00:00:00Z`)

test('who is responsible for several services is so for each until its own day, and for no other', async () => {
  const { organizationId } = home
  const until: Record<string, string | null> = {}
  for (const validUntil of ['2026-12-31', null, '2027-01-31', null]) {
    const { serviceId } = await portal.service()
    await portal.offer(organizationId, serviceId)
    const days = validUntil === null ? {} : { validUntil: day(validUntil) }
    await portal.giveScoped(person.accountId, organizationId, { serviceId }, days)
    until[serviceId] = validUntil
  }
  const holder = { accountId: person.accountId, organizationId }
  const other = await portal.service()
  await portal.system.db.transaction().execute(async (trx) => {
    for (const [scopeId, last] of Object.entries(until))
      for (const find of [findScopedUntil, lockScopedUntil])
        expect(await find(trx, holder, { role: 'serviceOwner', scopeId })).toEqual({ until: last })
    expect(await findScopedUntil(trx, holder, { role: 'serviceOwner', scopeId: other.serviceId })).toBeUndefined()
  })
})

test('the roles of a member end where they were given, and not for others there nor in another organisation', async () => {
  const { organizationId } = await portal.organization()
  const { serviceId } = await portal.service()
  await portal.offer(organizationId, serviceId)
  await portal.join(person.accountId, organizationId)
  await portal.giveScoped(person.accountId, organizationId, { serviceId }, { validUntil: day('2026-12-31') })
  const colleague = await portal.person()
  await portal.join(colleague.accountId, home.organizationId)
  await portal.offer(home.organizationId, serviceId)
  await portal.giveScoped(colleague.accountId, home.organizationId, { serviceId }, { validUntil: day('2027-01-31') })
  const memberships = await listMemberships(portal.system.db, person.accountId)
  const ends = memberships.map((one) => [one.organizationId, one.rolesUntil])
  expect(new Map(ends as [string, string][])).toEqual(
    new Map([
      [home.organizationId, undefined],
      [organizationId, '2026-12-31'],
    ]),
  )
})

test('somebody with a role that allows everything stands in for an admin only without an end of role or membership', async () => {
  const { organizationId } = home
  const { accountId } = person
  const { pool, db } = portal.system
  const { rows } = await pool.query(
    `insert into organization_roles (role_id, organization_id, name, permissions)
      values (gen_random_uuid(), $1, 'Everything', $2), (gen_random_uuid(), $1, 'Nearly', $3) returning role_id`,
    [organizationId, rolePermissions, rolePermissions.slice(1)],
  )
  const stands = () => hasStandingAdmin(db, organizationId, accountId)
  await portal.give(accountId, organizationId, rows[1].role_id)
  expect(await stands()).toBe(false)
  await portal.give(accountId, organizationId, rows[0].role_id)
  expect(await stands()).toBe(true)
  await pool.query("update memberships set valid_until = '2027-12-31' where account_id = $1", [accountId])
  expect(await stands()).toBe(false)
  await pool.query('update memberships set valid_until = null where account_id = $1', [accountId])
  const root = await portal.signedIn(await portal.person({ superUser: true }))
  const setRole = (validUntil: string | null) =>
    root.post(`/api/users/${accountId}/organization/${organizationId}/roles`, {
      roles: [{ role: rows[0].role_id, validUntil }],
    })
  expect((await setRole('2027-12-31')).statusCode).toBe(204)
  expect(await stands()).toBe(false)
  expect((await setRole(null)).statusCode).toBe(204)
  for (const state of ['pending = true', 'passive_at = now()']) {
    await pool.query(`update users set ${state} where account_id = $1`, [accountId])
    expect(await stands()).toBe(false)
    await pool.query('update users set pending = false, passive_at = null where account_id = $1', [accountId])
  }
  expect(await stands()).toBe(true)
})
