import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { directoryOf } from '#test/directory.ts'
import { outboxOf } from '#test/outbox.ts'
import { testPassword } from '#test/people.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await testApp()
})
afterAll(() => portal?.close())

type Directory = Awaited<ReturnType<typeof directoryOf>>
const patch = ({ call }: Directory, id: string, ...Operations: object[]) =>
  call('PATCH', `/Groups/${id}`, { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations })
const group = async ({ call }: Directory, ids: readonly string[] = [], displayName = 'Surgeons'): Promise<string> =>
  (await call('POST', '/Groups', { displayName, members: ids.map((value) => ({ value })) })).json().id
const decide = ({ browser, url }: Directory, id: string, body: object) => browser.put(`${url}/groups/${id}`, body)
const shown = async ({ browser, url }: Directory) => (await browser.get(`${url}/groups`)).json().items[0]
const roleOf = async ({ browser, organizationId }: Directory, permissions: string[]) =>
  (await browser.post(`/api/organizations/${organizationId}/roles`, { name: 'Planner', permissions })).json()
const rolesOf = async (email: string): Promise<string[]> => {
  const { rows } = await portal.system.pool.query(
    'select h.role from held_roles h join users using (account_id) where email = $1',
    [email],
  )
  return rows.map(({ role }) => role)
}
const set = (email: string, values: object) =>
  portal.system.db.updateTable('users').set(values).where('email', '=', email).execute()
/** By a mailed link, which proves the address. */
async function resetPassword(email: string): Promise<void> {
  await portal.browser().post('/api/initiate-password-reset', { email })
  const [mail] = await outboxOf(portal).messagesTo(email)
  const token = String(mail?.values.link).split('/reset-password/')[1] ?? ''
  const form = { email, newPassword: testPassword, confirmNewPassword: testPassword, token }
  expect((await portal.browser().post('/api/reset-password', form)).statusCode).toBe(204)
}
/** A group here that gives a service, and what somebody has of it. */
async function service(here: Directory) {
  const { organizationId, browser } = here
  const { serviceId } = await portal.service()
  await portal.offer(organizationId, serviceId)
  const made = await browser.post('/api/groups', { organizationId, name: 'Surgery', services: [{ serviceId }] })
  return {
    groupId: made.json().groupId as string,
    has: async (email: string) => (await here.accountAt(email)).services.length,
  }
}

/** A member who signs in by the portal itself. */
async function guest(here: Directory, emailProof: 'mailedLink' | null) {
  const email = `guest${Math.random()}@elsewhere.example`
  const person = await portal.person({ email, emailProof })
  await portal.join(person.accountId, here.organizationId, 'regular', emailProof === null ? 'opened' : 'guest')
  const { id } = await here.created({ userName: email, emails: [{ value: email }] })
  return { ...person, id }
}

describe('power over others', () => {
  test('is given by no group: neither as admin, nor by a role that has it or gets it later', async () => {
    const here = await directoryOf(portal)
    const { id: personId, email } = await here.created()
    const id = await group(here, [personId])
    const refused = async (role: string) => (await decide(here, id, { becomes: 'role', role })).json().issues
    const issues = [{ path: 'role', message: 'directoryGivesNoPower' }]
    expect(await refused('organizationAdmin')).toEqual(issues)
    const role = await roleOf(here, ['manageSettings'])
    expect(await refused(role.roleId)).toEqual(issues)
    const address = `/api/organizations/${here.organizationId}/roles/${role.roleId}`
    await here.browser.put(address, { permissions: ['readPeople'] })
    expect((await decide(here, id, { becomes: 'role', role: role.roleId })).statusCode).toBe(200)
    expect(await rolesOf(email)).toEqual([role.roleId])
    expect((await here.browser.put(address, { permissions: ['giveRoles'] })).statusCode).toBe(200)
    expect(await rolesOf(email)).toEqual([])
    const write = portal.system.pool.query("update scim_groups set role_id = null, role_key = 'organizationAdmin'")
    await expect(write).rejects.toThrow('built_in_role_of_scim_group')
  })
})

describe('an account whose address nobody has proven', () => {
  test('gets neither role nor service, and both when the proof arrives', async () => {
    const here = await directoryOf(portal)
    const { groupId, has } = await service(here)
    const sock = await guest(here, null)
    await decide(here, await group(here, [sock.id]), { becomes: 'group', groupId })
    await decide(here, await group(here, [sock.id], 'Readers'), { becomes: 'role', role: 'reader' })
    expect([await rolesOf(sock.email), await has(sock.email)]).toEqual([[], 0])
    await resetPassword(sock.email)
    expect([await rolesOf(sock.email), await has(sock.email)]).toEqual([['reader'], 1])
  })

  test('gets them at once where it signs in by the organisation’s own sign-in', async () => {
    const here = await directoryOf(portal)
    const { groupId, has } = await service(here)
    const { id, email } = await here.created()
    expect((await here.accountAt(email)).emailProof).toBeNull()
    await decide(here, await group(here, [id]), { becomes: 'group', groupId })
    expect(await has(email)).toBe(1)
  })
})

describe('somebody who may no longer decide', () => {
  test('lets in no newcomers by what they decided; who was in stays, and another decision lets them in', async () => {
    const here = await directoryOf(portal)
    const second = await portal.person()
    await portal.join(second.accountId, here.organizationId, 'organizationAdmin', 'guest')
    const other = await portal.signedIn(second)
    const [first, later, last] = [await here.created(), await here.created(), await here.created({ active: false })]
    const id = await group(here, [first.id, last.id])
    await other.put(`${here.url}/groups/${id}`, { becomes: 'role', role: 'reader' })
    await portal.system.db
      .updateTable('memberships')
      .set({ userRole: 'regular' })
      .where('accountId', '=', second.accountId)
      .execute()
    await patch(here, id, { op: 'Add', path: 'members', value: [{ value: later.id }] })
    // Also who comes in by joining.
    await here.patch(last.id, { op: 'Replace', path: 'active', value: true })
    expect(await Promise.all([first, later, last].map(({ email }) => rolesOf(email)))).toEqual([['reader'], [], []])
    expect(await shown(here)).toMatchObject({ people: 3, heldBack: 2 })
    expect((await decide(here, id, { becomes: 'role', role: 'reader' })).json().heldBack).toBe(0)
    expect(await rolesOf(later.email)).toEqual(['reader'])
  })

  test('has made a token that lets nobody in any more, and still ends people', async () => {
    const here = await directoryOf(portal)
    const root = await portal.signedIn(await portal.person({ superUser: true }))
    const [first, later] = [await here.created(), await here.created()]
    const id = await group(here, [first.id])
    await root.put(`${here.url}/groups/${id}`, { becomes: 'role', role: 'reader' })
    await portal.system.db
      .updateTable('memberships')
      .set({ userRole: 'regular' })
      .where('accountId', '=', here.admin.accountId)
      .execute()
    await patch(here, id, { op: 'Add', path: 'members', value: [{ value: later.id }] })
    await patch(here, id, { op: 'Remove', path: 'members', value: [{ value: first.id }] })
    expect([await rolesOf(first.email), await rolesOf(later.email)]).toEqual([[], []])
  })
})

describe('what ends', () => {
  test('ends although the person is held back in another group that becomes the same', async () => {
    const here = await directoryOf(portal)
    const { groupId, has } = await service(here)
    const { id: person, email } = await here.created()
    const id = await group(here, [person])
    const second = await group(here, [], 'Nurses')
    for (const one of [id, second]) await decide(here, one, { becomes: 'group', groupId })
    await portal.system.db
      .updateTable('scimGroups')
      .set({ decidedBy: null })
      .where('scimGroupId', '=', second)
      .execute()
    await patch(here, second, { op: 'add', path: 'members', value: [{ value: person }] })
    expect(await has(email)).toBe(1)
    await patch(here, id, { op: 'remove', path: 'members', value: [{ value: person }] })
    expect(await has(email)).toBe(0)
  })

  test('ends although an inactive second view of the person is still in', async () => {
    const here = await directoryOf(portal)
    const { groupId, has } = await service(here)
    const former = await guest(here, 'mailedLink')
    const rehired = await here.created({ userName: 'again', emails: [{ value: former.email }] })
    const id = await group(here, [former.id, rehired.id])
    await decide(here, id, { becomes: 'group', groupId })
    await portal.system.db.updateTable('scimUsers').set({ active: false }).where('scimUserId', '=', former.id).execute()
    await patch(here, id, { op: 'Remove', path: 'members', value: [{ value: rehired.id }] })
    expect(await has(former.email)).toBe(0)
  })

  test('ends for somebody who runs the portal by now', async () => {
    const here = await directoryOf(portal)
    const { groupId, has } = await service(here)
    const person = await guest(here, 'mailedLink')
    const id = await group(here, [person.id])
    await decide(here, id, { becomes: 'group', groupId })
    await set(person.email, { superUser: true })
    await here.call('DELETE', `/Groups/${id}`)
    expect(await has(person.email)).toBe(0)
  })
})
