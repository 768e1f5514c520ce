import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type RolePermission, rolePermissions } from '#contract/organization-roles/role-permissions.ts'
import { setAccessDay } from '#test/access-day.ts'
import type { Client } from '#test/client.ts'
import { groupsOf } from '#test/group-home.ts'
import type { Person } from '#test/people.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let groups: ReturnType<typeof groupsOf>
let home: Awaited<ReturnType<ReturnType<typeof groupsOf>['newHome']>>
let person: Person
let other: Person
beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '1000000/60' })
  groups = groupsOf(portal)
})
afterAll(() => portal?.close())
beforeEach(async () => {
  await setAccessDay(portal, '2031-01-01')
  home = await groups.newHome({ people: 2 })
  ;[person, other] = home.people as [Person, Person]
})

const soon = '2031-01-10'
const [later, longer] = ['2031-06-30', '2031-12-31']
/** Makes somebody the owner of a service and the admin of a group, each until a day. */
async function giveParts({ email }: Person, validUntil: string | null = soon) {
  const { organizationId, serviceId, browser } = home
  for (const path of [
    `/api/services/${serviceId}/${organizationId}/owners`,
    `/api/groups/${await home.create()}/admins`,
  ])
    expect((await browser.post(path, { email, validUntil })).statusCode).toBe(204)
}
/** And a reader. */
async function giveAll(one: Person, validUntil: string | null = soon) {
  const at = `/api/users/${one.accountId}/organization/${home.organizationId}/roles`
  expect((await home.browser.post(at, { roles: [{ role: 'reader', validUntil }] })).statusCode).toBe(204)
  await giveParts(one, validUntil)
}
const daysOf = async ({ accountId }: Person): Promise<[string, string | null][]> =>
  (
    await portal.system.pool.query(
      `select role, valid_until::text as day from (
        select role, valid_until from all_grants where account_id = $1
        union all select 'member', valid_until from memberships where account_id = $1) as held order by role`,
      [accountId],
    )
  ).rows.map(({ role, day }) => [role, day])
const extend = async (by: Client, one: Person, more: object = {}) => {
  const body = { accountIds: [one.accountId], validUntil: later, ...more }
  const { rows } = (await by.post(`/api/organizations/${home.organizationId}/users/extend`, body)).json()
  return [rows[0].outcome, rows[0].reason]
}
const untilOf = async ({ accountId }: Person): Promise<string | undefined> => {
  const at = `/api/users/${accountId}/organization/${home.organizationId}/service/-`
  return (await home.browser.get(at)).json().organizations[0].rolesUntil
}
const countEvents = async ({ accountId }: Person) => {
  const named = "select count(*)::integer as count from audit_events where name = 'updateUserRoles' and target_id = $1"
  return (await portal.system.pool.query(named, [accountId])).rows[0].count
}
const memberUntil = ({ accountId }: Person, day: string | null) =>
  portal.system.pool.query('update memberships set valid_until = $2 where account_id = $1', [accountId, day])
let own = 0
/** Somebody with a role of the organisation's own, of these permissions, until a day. */
async function holderOf(permissions: readonly RolePermission[], validUntil: string | null = null) {
  const { organizationId, browser } = home
  const form = { name: `Own ${++own}`, permissions }
  const { roleId } = (await browser.post(`/api/organizations/${organizationId}/roles`, form)).json()
  const holder = await portal.person()
  await portal.join(holder.accountId, organizationId)
  const roles = [{ role: roleId, validUntil }]
  await browser.post(`/api/users/${holder.accountId}/organization/${organizationId}/roles`, { roles })
  return { holder, by: await portal.signedIn(holder) }
}

test('one click moves every role that the list and the person name, each with its event', async () => {
  await giveAll(person)
  await giveAll(other, longer)
  expect([await untilOf(person), await untilOf(other)]).toEqual([soon, longer])
  // Who administers a service of theirs sees them, and not until when they have what.
  const { organizationId, serviceId } = home
  await portal.assign(person.accountId, organizationId, serviceId)
  const helper = await portal.person()
  await portal.join(helper.accountId, organizationId)
  const appointed = { email: helper.email, userRole: 'serviceAdmin' }
  const named = await home.browser.post(`/api/services/${serviceId}/${organizationId}/users`, appointed)
  const at = `/api/users/${person.accountId}/organization/${organizationId}/service/${serviceId}`
  const seen = (await (await portal.signedIn(helper)).get(at)).json().organizations[0]
  expect([named.statusCode, seen.organizationId, 'rolesUntil' in seen]).toEqual([204, organizationId, false])
  const before = await countEvents(person)
  expect(await extend(home.browser, person, { dryRun: true })).toEqual(['done', null])
  expect([await untilOf(person), await countEvents(person)]).toEqual([soon, before])
  expect(await extend(home.browser, person)).toEqual(['done', null])
  expect(await daysOf(person)).toEqual([
    ['groupAdmin', later],
    ['member', null],
    ['reader', later],
    ['serviceOwner', later],
  ])
  expect(await countEvents(person)).toBe(before + 3)
  expect(await groups.changesOf('updateUserRoles', home)).toContain(later)
  for (const one of [person, other]) expect(await extend(home.browser, one)).toEqual(['skipped', 'bulkEndsLater'])
})

test('who extends the membership and gives no roles extends none of them, and reads so', async () => {
  await giveAll(person)
  const before = [await daysOf(person), await countEvents(person)]
  const { holder, by } = await holderOf(['editPeople', 'assignServices'])
  for (const dryRun of [true, false]) expect(await extend(by, person, { dryRun })).toEqual(['skipped', 'moreThanOwn'])
  expect([await daysOf(person), await countEvents(person)]).toEqual(before)
  // Of who may more than they do, they extend no membership either.
  await memberUntil(person, soon)
  expect(await extend(by, person)).toEqual(['failed', 'moreThanOwn'])
  await memberUntil(person, null)
  // Nor do they by their own roles for a part, which let nobody name another one.
  await giveParts(holder, null)
  expect(await extend(await portal.signedIn(holder), person)).toEqual(['skipped', 'moreThanOwn'])
  expect([await daysOf(person), await countEvents(person)]).toEqual(before)
})

test('a role that stays leaves the rest extended', async () => {
  const { accountId } = person
  await portal.give(accountId, home.organizationId, 'helpDesk')
  await portal.system.pool.query('update all_grants set valid_until = $2 where account_id = $1', [accountId, soon])
  await memberUntil(person, soon)
  const { by } = await holderOf(['editPeople', 'helpPeople', 'assignServices'])
  for (const dryRun of [true, false]) expect(await extend(by, person, { dryRun })).toEqual(['done', 'moreThanOwn'])
  expect(await daysOf(person)).toEqual([
    ['helpDesk', soon],
    ['member', later],
  ])
  expect(await countEvents(person)).toBe(0)
})

test('who holds a part extends that part, for no longer than they hold it, and nothing of their own', async () => {
  await giveAll(person)
  const needs: RolePermission[] = ['editPeople', 'giveRoles', 'assignServices']
  const owner = await holderOf(needs, longer)
  expect(await extend(owner.by, person)).toEqual(['done', 'moreThanOwn'])
  expect(await daysOf(person)).toEqual([
    ['groupAdmin', soon],
    ['member', null],
    ['reader', soon],
    ['serviceOwner', later],
  ])
  await giveAll(other)
  const { holder, by } = await holderOf(rolePermissions, soon)
  expect(await extend(by, other)).toEqual(['skipped', 'longerThanOwn'])
  expect(await extend(by, holder)).toEqual(['skipped', 'ownAccount'])
  expect(await daysOf(other)).toEqual([
    ['groupAdmin', soon],
    ['member', null],
    ['reader', soon],
    ['serviceOwner', soon],
  ])
})

test('who gives a role by it proves who they are; who leaves the roles as they are does not', async () => {
  await giveParts(person)
  const url = `/api/organizations/${home.organizationId}/users/extend`
  const body = { accountIds: [person.accountId], validUntil: later }
  const { by } = await holderOf(['editPeople', 'assignServices'])
  portal.advance(10 * 60 + 1)
  expect((await home.browser.post(url, body)).json().message).toBe('freshProofRequired')
  expect((await home.browser.post(url, { ...body, dryRun: true })).statusCode).toBe(200)
  expect((await by.post(url, body)).json()).toMatchObject({ rows: [{ outcome: 'skipped' }] })
  expect((await daysOf(person)).flat()).not.toContain(later)
})
