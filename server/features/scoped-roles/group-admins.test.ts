import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { rolePermissions } from '#contract/organization-roles/role-permissions.ts'
import { putInGroup } from '#server/accounts/groups.repository.ts'
import { setAccessDay } from '#test/access-day.ts'
import { type Client, outcome } from '#test/client.ts'
import { groupsOf, newGroupName } from '#test/group-home.ts'
import type { Person } from '#test/people.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let root: Client
let groups: ReturnType<typeof groupsOf>
let home: Awaited<ReturnType<ReturnType<typeof groupsOf>['newHome']>>
let leader: Person
let colleague: Person
let other: Person
let groupId: string
let leading: Client
beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '1000000/60', LIMIT_AUTH_TYPE: '100000/60' })
  root = await portal.signedIn(await portal.person({ superUser: true }))
  groups = groupsOf(portal)
})
afterAll(() => portal?.close())
beforeEach(async () => {
  await setAccessDay(portal, '2031-01-01')
  home = await groups.newHome({ people: 3 })
  ;[leader, colleague, other] = home.people as [Person, Person, Person]
  groupId = await home.create()
  expect(await name(leader)).toBe(204)
  leading = await portal.signedIn(leader)
})

const at = (rest = '', id = groupId) => `/api/groups/${id}${rest}`
const name = async ({ email }: Pick<Person, 'email'>, days: object = {}, by = home.browser, id = groupId) =>
  outcome(await by.post(at('/admins', id), { email, ...days }))
const put = async ({ email }: Pick<Person, 'email'>, days: object = {}, id = groupId) =>
  outcome(await leading.post(at('/people', id), { email, ...days }))
const take = ({ accountId }: Person, by = leading) => by.post(at('/members/remove'), { accountIds: [accountId] })
const dismiss = ({ accountId }: Person, by = home.browser) => by.delete(at(`/admins/${accountId}`))
const servicesOf = (person: Person) => groups.servicesOf(person, home)
const daysOf = async ({ accountId }: Person) =>
  (
    await portal.system.pool.query('select valid_until::text as day from group_members where account_id = $1', [
      accountId,
    ])
  ).rows.map(({ day }) => day)

describe('the admin of a group', () => {
  test('puts colleagues in it and takes them out, which gives and ends what the group gives', async () => {
    expect(await put(colleague)).toBe(204)
    expect(await servicesOf(colleague)).toEqual([home.serviceId])
    expect(await groups.changesOf('updateGroupMembers', home)).toContain(colleague.email)
    expect(await put(colleague)).toEqual([409, 'alreadyInGroup'])
    expect((await take(colleague)).json().rows).toMatchObject([{ outcome: 'done' }])
    expect(await servicesOf(colleague)).toEqual([])
  })

  test('sees that group and its people, and no other', async () => {
    await home.create()
    expect(await put(colleague)).toBe(204)
    const list = (await leading.get(`/api/organizations/${home.organizationId}/groups`)).json()
    expect(list.map((one: { groupId: string }) => one.groupId)).toEqual([groupId])
    expect((await leading.get(at('/members'))).json().items).toMatchObject([{ email: colleague.email }])
    const names = (await leading.get(`/api/organizations/${home.organizationId}/services`)).json()
    expect(names.map((one: { serviceId: string }) => one.serviceId)).toEqual([home.serviceId])
    for (const path of [`/api/organizations/${home.organizationId}/users`, at('/what-ends'), at('/admins')])
      expect((await leading.get(path)).statusCode, path).toBe(403)
  })

  test('changes neither its name, its rule nor what it gives, and does not delete it', async () => {
    for (const change of [{ name: 'Mine' }, { ruleAttribute: 'a', ruleValue: 'b' }, { services: [] }])
      expect((await leading.put('/api/groups', { groupId, ...change })).statusCode).toBe(403)
    expect((await leading.delete(at())).statusCode).toBe(403)
    expect((await leading.post('/api/groups', { organizationId: home.organizationId, name: 'Mine' })).statusCode).toBe(
      403,
    )
  })

  test('takes out only those whom somebody put in, not who is there by the rule', async () => {
    const byRule = { groupId, organizationId: home.organizationId, source: 'rule' } as const
    await portal.system.db.transaction().execute((trx) => putInGroup(trx, byRule, [other.accountId]))
    expect((await take(other)).json().rows).toMatchObject([{ outcome: 'skipped', reason: 'bulkNotByHand' }])
    expect(await servicesOf(other)).toEqual([home.serviceId])
    expect((await take(other, home.browser)).json().rows).toMatchObject([{ outcome: 'done' }])
  })

  test('puts nobody in for longer than the own days', async () => {
    expect(await name(leader, { validUntil: '2031-01-31' })).toBe(204)
    for (const validUntil of ['2031-02-01', null])
      expect(await put(colleague, { validUntil })).toEqual([403, 'longerThanOwn'])
    expect(await put(colleague)).toBe(204)
    expect(await daysOf(colleague)).toEqual(['2031-01-31'])
    expect(await put(other, { validUntil: '2031-01-15' })).toBe(204)
    expect(await put(other, { validUntil: '2031-02-01' })).toEqual([403, 'longerThanOwn'])
    expect(await daysOf(other)).toEqual(['2031-01-15'])
  })

  test('ends with the last day of the role, or of the membership, in an open session', async () => {
    expect(await name(leader, { validUntil: '2031-01-31' })).toBe(204)
    await setAccessDay(portal, '2031-02-01')
    expect((await leading.get(at())).statusCode).toBe(403)
    expect(await put(colleague)).toEqual([403, 'forbidden'])
    expect(await name(leader, { validUntil: null })).toBe(204)
    expect(await put(colleague)).toBe(204)
    await portal.system.pool.query("update memberships set valid_until = '2031-02-10' where account_id = $1", [
      leader.accountId,
    ])
    expect(await put(other, { validUntil: '2031-02-11' })).toEqual([403, 'longerThanOwn'])
    await setAccessDay(portal, '2031-02-11')
    expect((await leading.get(at())).statusCode).toBe(403)
  })
})

test('an admin who leaves the group as the role is taken from them does not stand in the way', async () => {
  const { accountId, email } = leader
  expect(outcome(await home.browser.post(at('/people'), { email }))).toBe(204)
  const { pool } = portal.system
  const dismissing = await pool.connect()
  try {
    await dismissing.query('begin')
    await dismissing.query('select from users where account_id = $1 for no key update', [accountId])
    const taken = take(leader)
    const waiting = "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
    await expect.poll(async () => (await pool.query(waiting)).rowCount, { timeout: 10_000 }).toBeGreaterThan(0)
    await dismissing.query("set local lock_timeout = '1s'")
    await dismissing.query('delete from all_grants where account_id = $1', [accountId])
    await dismissing.query('commit')
    expect((await taken).statusCode).toBe(200)
  } finally {
    await dismissing.query('rollback')
    dismissing.release()
  }
})

describe('the admin of a group becomes no admin of more', () => {
  test('by the group itself: nobody puts in themselves, whatever it gives now or later', async () => {
    expect(await put(leader)).toEqual([403, 'ownAccount'])
    const byId = await leading.post(at('/members'), { accountIds: [leader.accountId] })
    expect(byId.statusCode).toBe(403)
    const richer = await portal.service('Payroll')
    await portal.offer(home.organizationId, richer.serviceId)
    const services = [home.serviceId, richer.serviceId].map((serviceId) => ({ serviceId }))
    expect((await home.browser.put('/api/groups', { groupId, services })).statusCode).toBe(200)
    expect(await put(leader)).toEqual([403, 'ownAccount'])
    expect(await servicesOf(leader)).toEqual([])
  })

  test('by each other: both are in the group by somebody else, whom the log names, and no longer than that one is its admin', async () => {
    expect(await name(colleague, { validUntil: '2031-03-31' })).toBe(204)
    const other = await portal.signedIn(colleague)
    expect(await put(colleague)).toBe(204)
    const back = async (days: object) => outcome(await other.post(at('/people'), { email: leader.email, ...days }))
    expect(await back({ validUntil: '2031-04-01' })).toEqual([403, 'longerThanOwn'])
    expect(await back({})).toBe(204)
    expect(await daysOf(leader)).toEqual(['2031-03-31'])
    const { rows } = await portal.system.pool.query(
      "select actor from audit_events where name = 'updateGroupMembers' and target_id = $1 order by created_at, id",
      [groupId],
    )
    expect(rows.map(({ actor }) => actor)).toEqual([leader.email, colleague.email])
  })

  test('by what the group gives later: who widens it reads in the event whom it lets decide', async () => {
    expect((await home.browser.put('/api/groups', { groupId, services: [] })).statusCode).toBe(200)
    expect(await groups.changesOf('updateGroup', home)).toContain(leader.email)
  })

  test('by another group, of the organisation or of another one, or one that does not exist', async () => {
    const second = await home.create()
    const foreign = await groups.newHome()
    for (const id of [second, await foreign.create(), crypto.randomUUID()]) {
      expect(await put(colleague, {}, id)).toEqual([404, 'notFound'])
      expect((await leading.get(at('', id))).statusCode).toBe(404)
    }
  })

  test('by naming others, or themselves for longer', async () => {
    for (const person of [leader, colleague])
      expect(await name(person, { validUntil: null }, leading)).toEqual([403, 'forbidden'])
    expect((await dismiss(leader, leading)).statusCode).toBe(403)
  })

  test('by the screens of the person, in bulk, by an import or an invitation', async () => {
    const { organizationId } = home
    const rows = [{ email: 'new@nordvik.example' }]
    const refused = [
      leading.post(`/api/organizations/${organizationId}/users/extend`, {
        accountIds: [colleague.accountId],
        validUntil: '2032-01-01',
      }),
      leading.post('/api/invites', { organizationId, email: 'new@nordvik.example' }),
      leading.post('/api/invites/bulk', { organizationId, rows }),
      leading.put('/api/users', { accountId: colleague.accountId, phoneNumber: '+46701740606' }),
      leading.post(`/api/users/${colleague.accountId}/organization/${organizationId}/service`, { services: [] }),
    ]
    for (const one of refused) expect((await one).statusCode).toBe(403)
  })

  test('by a session from before the role was taken, or a request that repeats an answered one', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const again = () => leading.post(at('/people'), { email: colleague.email }, headers)
    expect((await again()).statusCode).toBe(204)
    expect(outcome(await dismiss(leader))).toBe(204)
    expect((await again()).statusCode).toBe(403)
    expect(outcome(await take(colleague))).toEqual([403, 'forbidden'])
    expect(await servicesOf(colleague)).toEqual([home.serviceId])
  })

  test('by a group of the same name that is made after the first was deleted', async () => {
    const form = { name: newGroupName() }
    const first = await home.create(form)
    expect(await name(leader, {}, home.browser, first)).toBe(204)
    expect((await home.browser.delete(at('', first))).statusCode).toBe(204)
    expect(await groups.changesOf('deleteGroup', home)).toContain(leader.email)
    const second = await home.create(form)
    expect(await put(colleague, {}, second)).toEqual([404, 'notFound'])
  })

  test('by a group, or a role, that moves to another organisation', async () => {
    const foreign = await groups.newHome()
    const move = (table: string) =>
      portal.system.pool.query(`update ${table} set organization_id = $1 where group_id = $2`, [
        ...[foreign.organizationId, groupId],
      ])
    await expect(move('groups')).rejects.toThrow('foreign key')
    await portal.join(leader.accountId, foreign.organizationId)
    await expect(move('all_grants')).rejects.toThrow('scope_of_group')
  })

  test('by coming back: who leaves the organisation leaves the role, as the event says', async () => {
    const { name: group } = (await leading.get(at())).json()
    expect(
      (await home.browser.delete(`/api/users/${leader.accountId}/organization/${home.organizationId}`)).statusCode,
    ).toBe(204)
    expect(await groups.changesOf('removeUser', home)).toContain(`groupAdmin [${group}]`)
    await portal.join(leader.accountId, home.organizationId)
    expect(await put(colleague)).toEqual([403, 'forbidden'])
  })
})

describe('the event of what ends such a role names it, and who had it', () => {
  const ended = async (name: string, part: () => Promise<string>) => {
    const { name: organization } = (await root.get(`/api/organizations/${home.organizationId}`)).json()
    return [await groups.changesOf(name, home), `${organization}: ${await part()}`] as const
  }
  const groupName = async () => (await root.get(at())).json().name

  test('a membership that the operator ends', async () => {
    const before = await groupName()
    const taken = await root.put('/api/users', { accountId: leader.accountId, organizations: [] })
    expect(outcome(taken)).toBe(200)
    const [changes, text] = await ended('updateUser', async () => `groupAdmin [${before}]`)
    expect(changes).toContain(text)
  })

  test('an account that is deleted', async () => {
    const before = await groupName()
    await portal.give(leader.accountId, home.organizationId, 'helpDesk')
    expect(outcome(await root.delete(`/api/users/${leader.accountId}`))).toBe(204)
    const [changes, text] = await ended('deleteUser', async () => `groupAdmin [${before}], helpDesk`)
    expect(changes).toContain(text)
  })

  test('an organisation that is deleted', async () => {
    const owners = `/api/services/${home.serviceId}/${home.organizationId}/owners`
    expect(outcome(await home.browser.post(owners, { email: colleague.email }))).toBe(204)
    const before = await groupName()
    const { name: organization } = (await root.get(`/api/organizations/${home.organizationId}`)).json()
    expect(outcome(await root.delete(`/api/organizations/${home.organizationId}?force=true`))).toBe(204)
    const changes = await groups.changesOf('deleteOrganization', home)
    expect(changes).toContain(`"groupAdmins","previousValue":"${leader.email} (${organization}: ${before})"`)
    expect(changes).toContain(`"serviceOwners","previousValue":"${colleague.email} (${organization}: ${home.service})"`)
  })

  test('a service that is deleted, or that the organisation loses; and who deletes a group is told before', async () => {
    const owners = `/api/services/${home.serviceId}/${home.organizationId}/owners`
    expect(outcome(await home.browser.post(owners, { email: colleague.email }))).toBe(204)
    expect((await home.browser.get(at('/what-ends'))).json()).toMatchObject({ groupAdmins: [leader.email] })
    expect(outcome(await root.delete(`/api/services/${home.serviceId}?force=true`))).toBe(204)
    expect(await groups.changesOf('deleteService', home)).toContain(
      `"serviceOwners","previousValue":"${colleague.email}`,
    )
  })
})

describe('who names the admin of a group', () => {
  test('holds everything there, for as long, and names others', async () => {
    const ending = await portal.person()
    await portal.join(ending.accountId, home.organizationId, 'organizationAdmin')
    const days = { userRole: 'organizationAdmin', services: [], roleUntil: '2031-01-31' }
    const their = `/api/users/${ending.accountId}/organization/${home.organizationId}/service`
    expect(outcome(await home.browser.post(their, days))).toBe(204)
    const browser = await portal.signedIn(ending)
    expect(await name(colleague, {}, browser)).toEqual([403, 'longerThanOwn'])
    expect(await name(colleague, { validUntil: '2031-01-31' }, browser)).toBe(204)
    expect(await name(ending, { validUntil: '2031-01-31' }, browser)).toEqual([403, 'ownAccount'])
    const stranger = await portal.person()
    expect(await name(stranger)).toEqual([404, 'notFound'])
    const list = (await home.browser.get(at('/admins'))).json()
    expect(
      list.map(({ email, validUntil }: { email: string; validUntil: string | null }) => [email, validUntil]),
    ).toEqual(
      [
        [leader.email, null],
        [colleague.email, '2031-01-31'],
      ].sort(),
    )
    expect(await groups.changesOf('updateUserRoles', home)).toContain('groupAdmin [')
  })

  test('holds everything there, and not only what names who is responsible for a service', async () => {
    const { organizationId } = home
    const roleOf = async (name: string, permissions: readonly string[]) =>
      (await home.browser.post(`/api/organizations/${organizationId}/roles`, { name, permissions })).json().roleId
    const everything = await roleOf('Allt', rolePermissions)
    const services = await roleOf('Tjänster', ['editPeople', 'removePeople', 'giveRoles', 'assignServices'])
    const [ending, serving] = [await portal.person(), await portal.person()]
    for (const { accountId } of [ending, serving]) await portal.join(accountId, organizationId)
    const give = async ({ accountId }: Pick<Person, 'accountId'>, roles: object[]) =>
      outcome(await home.browser.post(`/api/users/${accountId}/organization/${organizationId}/roles`, { roles }))
    expect(await give(ending, [{ role: everything, validUntil: '2031-01-31' }, { role: services }])).toBe(204)
    expect(await give(serving, [{ role: services }])).toBe(204)
    expect(await name(colleague, {}, await portal.signedIn(ending))).toEqual([403, 'longerThanOwn'])
    const browser = await portal.signedIn(serving)
    const phone = await browser.put('/api/users', { accountId: leader.accountId, phoneNumber: '+46701740606' })
    expect(outcome(phone)).toEqual([403, 'forbidden'])
    const place = `/api/users/${leader.accountId}/organization/${organizationId}`
    expect(outcome(await browser.delete(place))).toEqual([403, 'moreThanOwn'])
    await portal.system.pool.query("update memberships set valid_until = '2031-01-31' where account_id = $1", [
      leader.accountId,
    ])
    expect(outcome(await browser.post(`${place}/service`, { services: [], validUntil: null }))).toEqual([
      403,
      'moreThanOwn',
    ])
  })

  test('is the one who reaches how such a person signs in, and how long they stay', async () => {
    const { organizationId } = home
    const person = await portal.person()
    await portal.join(person.accountId, organizationId)
    await portal.give(person.accountId, organizationId, 'personnelAdministrator')
    const personnel = await portal.signedIn(person)
    const phone = ({ accountId }: Person) => personnel.put('/api/users', { accountId, phoneNumber: '+46701740606' })
    expect(outcome(await phone(leader))).toEqual([403, 'forbidden'])
    expect(outcome(await phone(colleague))).toBe(200)
    const place = `/api/users/${leader.accountId}/organization/${organizationId}`
    expect(outcome(await personnel.delete(place))).toEqual([403, 'moreThanOwn'])
    const days = { services: [], validUntil: '2031-06-30' }
    expect(outcome(await personnel.post(`${place}/service`, days))).toEqual([403, 'moreThanOwn'])
    expect(outcome(await home.browser.post(`${place}/service`, days))).toBe(204)
    // Longer days in the organisation are longer days of the role.
    expect(outcome(await personnel.post(`${place}/service`, { services: [], validUntil: null }))).toEqual([
      403,
      'moreThanOwn',
    ])
    expect(outcome(await root.put('/api/users', { accountId: leader.accountId, phoneNumber: '+46701740606' }))).toBe(
      200,
    )
  })
})
