import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { setAccessDay } from '#test/access-day.ts'
import { type Client, outcome } from '#test/client.ts'
import type { Person } from '#test/people.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let root: Client
let operator: Person
let member: Person
let organizationId: string
let serviceId: string
let groupId: string
beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '100000/60' })
})
afterAll(() => portal?.close())
beforeEach(async () => {
  await setAccessDay(portal, '2026-12-01')
  operator = await portal.person({ superUser: true })
  root = await portal.signedIn(operator)
  organizationId = (await portal.organization()).organizationId
  serviceId = (await portal.service()).serviceId
  await portal.offer(organizationId, serviceId)
  member = await portal.person()
  await portal.join(member.accountId, organizationId)
  groupId = (await root.post('/api/groups', { organizationId, name: 'Ward' })).json().groupId
})

const query = (text: string, ...values: unknown[]) => portal.system.pool.query(text, values)
const grantsOf = async ({ accountId }: Person) =>
  (
    await query(
      'select scope, role, given_by as by, valid_until::text as until from all_grants where account_id = $1 order by role',
      accountId,
    )
  ).rows
const setRoles = (roles: object[], by = root) =>
  by.post(`/api/users/${member.accountId}/organization/${organizationId}/roles`, { roles })

describe('the database refuses', () => {
  const give = (values: object) =>
    portal.system.db
      .insertInto('allGrants')
      .values({ accountId: member.accountId, ...values })
      .execute()

  test('a role for a part as one of the whole, and a role of the whole for a part', async () => {
    for (const roleKey of ['serviceOwner', 'groupAdmin', 'superUser'])
      await expect(give({ organizationId, roleKey }), roleKey).rejects.toThrow('role_fits_scope')
    for (const roleKey of ['reader', 'groupAdmin'])
      await expect(give({ organizationId, serviceId, roleKey }), roleKey).rejects.toThrow('role_fits_scope')
    for (const roleKey of ['reader', 'serviceOwner'])
      await expect(give({ organizationId, groupId, roleKey }), roleKey).rejects.toThrow('role_fits_scope')
    await expect(give({ organizationId, groupId, serviceId, roleKey: 'groupAdmin' })).rejects.toThrow('one_scope')
    await expect(give({ organizationId })).rejects.toThrow('"role"')
  })

  test('a part without its organisation, which would be a role in the portal', async () => {
    await expect(give({ serviceId, roleKey: 'reader' })).rejects.toThrow('one_scope')
    await expect(give({ groupId, roleKey: 'auditor' })).rejects.toThrow('one_scope')
    await expect(give({ roleKey: 'serviceOwner' })).rejects.toThrow('portal_role')
  })

  test('a role within a service that the person does not have, or of another service', async () => {
    const { roleId } = (await root.post('/api/service-roles', { serviceId, key: 'doctor', nameSv: 'Läkare' })).json()
    const role = { organizationId, inServiceId: serviceId, serviceRoleId: roleId }
    await expect(give(role)).rejects.toThrow('role_in_held_service')
    const other = (await portal.service()).serviceId
    await portal.offer(organizationId, other)
    await portal.assign(member.accountId, organizationId, other)
    await expect(give({ ...role, inServiceId: other })).rejects.toThrow('role_of_service')
    await expect(give({ ...role, inServiceId: null })).rejects.toThrow('role_fits_scope')
  })
})

describe('a role says who has given it', () => {
  test('also once somebody else has set its days, and no more when that account is gone', async () => {
    expect(outcome(await setRoles([{ role: 'reader' }]))).toBe(204)
    expect(await grantsOf(member)).toMatchObject([{ role: 'reader', by: operator.accountId }])
    const other = await portal.person({ superUser: true })
    const days = [{ role: 'reader', validUntil: '2031-01-31' }]
    expect(outcome(await setRoles(days, await portal.signedIn(other)))).toBe(204)
    expect(await grantsOf(member)).toMatchObject([{ by: other.accountId, until: '2031-01-31' }])
    await query('delete from users where account_id = $1', other.accountId)
    expect(await grantsOf(member)).toMatchObject([{ role: 'reader', by: null, until: '2031-01-31' }])
  })

  test('and one that stays as it is keeps who gave it', async () => {
    expect(outcome(await setRoles([{ role: 'reader' }]))).toBe(204)
    const other = await portal.signedIn(await portal.person({ superUser: true }))
    expect(outcome(await setRoles([{ role: 'reader' }, { role: 'auditor' }], other))).toBe(204)
    expect(await grantsOf(member)).toMatchObject([
      { role: 'auditor', by: expect.not.stringMatching(operator.accountId) },
      { role: 'reader', by: operator.accountId },
    ])
  })
})

test('who works for the operator in another way never stops to in between', async () => {
  const { accountId } = await portal.person({ superUser: true })
  const since = "update users set operates_since = '2026-01-02' where account_id = $1"
  await query(since, accountId)
  const operatesSince = async () =>
    (await query(`select operates_since::date::text as day, operates from users where account_id = $1`, accountId))
      .rows[0]
  for (const change of [
    { superUser: false, portalRole: 'reader' },
    { portalRole: 'auditor' },
    { superUser: true, portalRole: null },
  ]) {
    expect(outcome(await root.put('/api/users', { accountId, ...change })), JSON.stringify(change)).toBe(200)
    expect(await operatesSince(), JSON.stringify(change)).toEqual({ day: '2026-01-02', operates: true })
  }
  expect(await grantsOf({ accountId, email: '' })).toEqual([])
})
