import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setAccessDay } from '#test/access-day.ts'
import type { Client } from '#test/client.ts'
import { invitationsOf, newEmail } from '#test/invitations.ts'
import type { Person } from '#test/people.ts'
import { attempt } from '#test/saml/attempt.ts'
import { company, companyAnswer, employee } from '#test/saml/company.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let root: Client
let invites: ReturnType<typeof invitationsOf>
beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '1000000/60' })
  invites = invitationsOf(portal)
  root = await portal.signedIn(await portal.person({ superUser: true }))
})
afterAll(() => {
  for (const one of portal.logged.filter(({ level }) => Number(level) >= 50 || level === 'error'))
    console.log(JSON.stringify(one).slice(0, 900))
  return portal?.close()
})

/** An organisation with a service of so many seats, its admin, and so many people without services. */
async function newHome({ people: count = 1, seats = null as number | null } = {}) {
  const home = await invites.organizationWithAdmin()
  const { organizationId } = home
  const { serviceId, name: service } = await portal.service(`Journal ${newEmail()}`)
  await portal.offer(organizationId, serviceId, seats)
  const people: Person[] = []
  for (let number = 0; number < count; number++) {
    const person = await portal.person()
    await portal.join(person.accountId, organizationId)
    people.push(person)
  }
  const create = async (form: object = {}): Promise<string> => {
    const answer = await home.browser.post('/api/groups', {
      organizationId,
      name: newName(),
      services: [{ serviceId }],
      ...form,
    })
    expect(answer.statusCode, answer.body).toBe(201)
    return answer.json().groupId
  }
  const put = (groupId: string, those: readonly Person[] = people, days: object = {}) =>
    home.browser.post(`/api/groups/${groupId}/members`, { accountIds: those.map(idOf), ...days })
  const take = (groupId: string, those: readonly Person[] = people) =>
    home.browser.post(`/api/groups/${groupId}/members/remove`, { accountIds: those.map(idOf) })
  const members = async (groupId: string) => (await home.browser.get(`/api/groups/${groupId}/members`)).json().items
  return { ...home, serviceId, service, people, person: people[0] as Person, create, put, take, members }
}
type Company = Awaited<ReturnType<typeof newHome>>

let counter = 0
const newName = () => `Grupp ${++counter}`
const idOf = ({ accountId }: Person) => accountId
const problem = (answer: { statusCode: number; json: () => { message: string } }) => [
  answer.statusCode,
  answer.json().message,
]
const outcomes = async (answer: Promise<{ json: () => { rows: { outcome: string }[] } }>) =>
  (await answer).json().rows.map(({ outcome }) => outcome)
/** The services that somebody has today in the organisation, by the view that gives access. */
async function servicesOf({ accountId }: Person, { organizationId }: Pick<Company, 'organizationId'>) {
  const { rows } = await portal.system.pool.query(
    'select service_id from current_assignments where account_id = $1 and organization_id = $2',
    [accountId, organizationId],
  )
  return rows.map(({ service_id: id }) => id)
}
async function rolesOf({ accountId }: Person, serviceId: string): Promise<string[]> {
  const { rows } = await portal.system.pool.query(
    'select key from current_service_roles join service_roles using (role_id) where account_id = $1 and service_roles.service_id = $2 order by key',
    [accountId, serviceId],
  )
  return rows.map(({ key }) => key)
}
async function declare(serviceId: string, key: string, more: object = {}): Promise<string> {
  const answer = await root.post('/api/service-roles', { serviceId, key, nameSv: `Roll ${key}`, ...more })
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json().roleId
}
async function lastEvent(name: string, { organizationId }: Pick<Company, 'organizationId'>) {
  const { rows } = await portal.system.pool.query(
    'select target, changes from audit_events where name = $1 and $2 = any (organization_ids) order by id desc limit 1',
    [name, organizationId],
  )
  return rows[0]
}

describe('a group gives its services', () => {
  test('to who is put in, and takes them from who is taken out, with one event that names everybody', async () => {
    const home = await newHome({ people: 2 })
    const groupId = await home.create({ name: 'Ekonomi' })
    expect(await outcomes(home.put(groupId))).toEqual(['done', 'done'])
    for (const person of home.people) expect(await servicesOf(person, home)).toEqual([home.serviceId])
    const { changes } = await lastEvent('updateGroupMembers', home)
    expect(JSON.stringify(changes)).toContain(
      home.people
        .map(({ email }) => email)
        .sort()
        .join(', '),
    )
    expect(await outcomes(home.put(groupId))).toEqual(['skipped', 'skipped'])
    expect(await outcomes(home.take(groupId))).toEqual(['done', 'done'])
    for (const person of home.people) expect(await servicesOf(person, home)).toEqual([])
  })

  test('beside what a person has by hand and by other groups: the service ends with its last source', async () => {
    const home = await newHome()
    const [one, other] = [await home.create(), await home.create()]
    const at = `/api/services/${home.serviceId}/${home.organizationId}/users`
    expect((await home.browser.post(at, { email: home.person.email })).statusCode).toBe(204)
    await home.put(one)
    await home.put(other)
    expect((await home.browser.delete(`${at}/${home.person.accountId}`)).statusCode).toBe(204)
    expect(await servicesOf(home.person, home)).toEqual([home.serviceId])
    expect(problem(await home.browser.delete(`${at}/${home.person.accountId}`))).toEqual([409, 'serviceComesByGroup'])
    await home.take(one)
    expect(await servicesOf(home.person, home)).toEqual([home.serviceId])
    await home.take(other)
    expect(await servicesOf(home.person, home)).toEqual([])
  })

  test('also those that it gets later, and ends those that it loses; a deleted group ends what only it gave', async () => {
    const home = await newHome({ people: 2 })
    const [first, second] = home.people as [Person, Person]
    const groupId = await home.create({ services: [] })
    await home.put(groupId)
    await portal.assign(second.accountId, home.organizationId, home.serviceId)
    const update = (services: object[]) => home.browser.put('/api/groups', { groupId, services })
    expect((await update([{ serviceId: home.serviceId }])).statusCode).toBe(200)
    expect(await servicesOf(first, home)).toEqual([home.serviceId])
    expect((await update([])).statusCode).toBe(200)
    expect(await servicesOf(first, home)).toEqual([])
    await update([{ serviceId: home.serviceId }])
    expect((await home.browser.get(`/api/groups/${groupId}/what-ends`)).json()).toEqual({
      people: 2,
      services: [{ name: home.service, people: 1, emails: [first.email] }],
      groupAdmins: [],
    })
    expect((await home.browser.delete(`/api/groups/${groupId}`)).statusCode).toBe(204)
    expect([await servicesOf(first, home), await servicesOf(second, home)]).toEqual([[], [home.serviceId]])
    expect(JSON.stringify((await lastEvent('deleteGroup', home)).changes)).toContain(first.email)
  })

  test('within the days of the membership in the group and of the service in it', async () => {
    const home = await newHome()
    const groupId = await home.create({ services: [{ serviceId: home.serviceId, validUntil: '2027-03-31' }] })
    await home.put(groupId, home.people, { validFrom: '2027-01-01', validUntil: '2027-12-31' })
    const on = async (day: string) => {
      await setAccessDay(portal, day)
      return (await servicesOf(home.person, home)).length
    }
    expect([await on('2026-12-31'), await on('2027-01-01'), await on('2027-03-31'), await on('2027-04-01')]).toEqual([
      0, 1, 1, 0,
    ])
    await home.put(groupId, home.people, { validUntil: '2027-02-01' })
    expect([await on('2027-02-01'), await on('2027-02-02')]).toEqual([1, 0])
    expect(
      (await home.put(groupId, home.people, { validFrom: '2027-03-01', validUntil: '2027-02-01' })).statusCode,
    ).toBe(422)
    await setAccessDay(portal, '2026-12-01')
  })

  test('and roles of them, with the rules of the role, until the group ends', async () => {
    const home = await newHome({ people: 2 })
    const { serviceId } = home
    const doctor = await declare(serviceId, 'doctor', { maxPeople: 1 })
    const groupId = await home.create({ services: [{ serviceId, roleIds: [doctor] }] })
    await home.put(groupId)
    const [first, second] = home.people as [Person, Person]
    const both = async () => [...(await rolesOf(first, serviceId)), ...(await rolesOf(second, serviceId))]
    expect(await both()).toEqual(['doctor'])
    expect((await home.browser.get(`/api/groups/${groupId}`)).json()).toMatchObject({ people: 2, waiting: 1 })
    const at = `/api/users/${first.accountId}/organization/${home.organizationId}/service/${serviceId}/roles`
    expect(problem(await home.browser.post(at, { roleIds: [] }))).toEqual([409, 'serviceComesByGroup'])
    await home.take(groupId, [first])
    expect([await rolesOf(first, serviceId), await rolesOf(second, serviceId)]).toEqual([[], ['doctor']])
    expect((await home.browser.get(`/api/groups/${groupId}`)).json().waiting).toBe(0)
    await home.browser.put('/api/groups', { groupId, services: [{ serviceId, roleIds: [] }] })
    expect(await both()).toEqual([])
  })
})

describe('seats', () => {
  test('without a free one the person is in the group and waits, and gets it when somebody leaves', async () => {
    const home = await newHome({ people: 2, seats: 1 })
    const [first, second] = home.people as [Person, Person]
    const groupId = await home.create()
    await home.put(groupId, [first])
    await home.put(groupId, [second])
    expect(await home.members(groupId)).toMatchObject([{ waitsFor: [] }, { waitsFor: [home.service] }])
    await home.take(groupId, [first])
    expect(await servicesOf(second, home)).toEqual([home.serviceId])
  })

  test('more of them are given to who waits', async () => {
    const home = await newHome({ people: 3, seats: 1 })
    const groupId = await home.create()
    await home.put(groupId)
    expect((await home.browser.get(`/api/groups/${groupId}`)).json().waiting).toBe(2)
    const organization = (await root.get(`/api/organizations/${home.organizationId}`)).json()
    const services = [{ serviceId: home.serviceId, maxNumberOfUsers: 2 }]
    const { organizationId, version } = organization
    expect((await root.put('/api/organizations', { organizationId, version, services })).statusCode).toBe(200)
    expect((await home.browser.get(`/api/groups/${groupId}`)).json().waiting).toBe(1)
  })

  test('20 who are put in at once share the last one: one has it, and 19 wait', async () => {
    const home = await newHome({ people: 20, seats: 1 })
    const groups = [await home.create(), await home.create()] as [string, string]
    const answers = await Promise.all(
      home.people.map((person, index) => home.put(groups[index % 2] as string, [person])),
    )
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
    const have = await Promise.all(home.people.map((person) => servicesOf(person, home)))
    expect(have.flat()).toHaveLength(1)
    const { rows } = await portal.system.pool.query(
      'select seats_used from organization_services where organization_id = $1',
      [home.organizationId],
    )
    expect(rows).toEqual([{ seats_used: 1 }])
  })
})

describe('a hostile admin', () => {
  test('puts nobody of another organisation in a group, and sees them as people who do not exist', async () => {
    const [home, other] = [await newHome(), await newHome()]
    const groupId = await home.create()
    const stranger = other.person.accountId
    expect((await home.put(groupId, [other.person])).json().rows).toEqual([
      { accountId: stranger, outcome: 'failed', reason: 'notFound' },
    ])
    await expect(
      portal.system.pool.query(
        'insert into group_members (group_id, organization_id, account_id) values ($1, $2, $3)',
        [groupId, home.organizationId, stranger],
      ),
    ).rejects.toThrow('foreign key')
  })

  test('reads, changes and deletes no group of another organisation: it is not there', async () => {
    const [home, other] = [await newHome(), await newHome()]
    const groupId = await other.create()
    const at = `/api/groups/${groupId}`
    for (const answer of [
      await home.browser.get(at),
      await home.browser.get(`${at}/members`),
      await home.browser.get(`${at}/what-ends`),
      await home.browser.put('/api/groups', { groupId, name: 'Ny' }),
      await home.put(groupId),
      await home.take(groupId),
      await home.browser.delete(at),
      await home.browser.get(`/api/organizations/${other.organizationId}/groups`),
    ])
      expect(answer.statusCode).toBe(404)
  })

  test('gives no service that the organisation does not have, and no role of another service', async () => {
    const [home, other] = [await newHome(), await newHome()]
    const role = await declare(other.serviceId, 'doctor')
    const post = (services: object[]) =>
      home.browser.post('/api/groups', { organizationId: home.organizationId, name: newName(), services })
    expect((await post([{ serviceId: other.serviceId }])).json().issues).toEqual([
      { path: 'services.0.serviceId', message: 'serviceNotInOrganization' },
    ])
    expect((await post([{ serviceId: home.serviceId, roleIds: [role] }])).json().issues).toEqual([
      { path: 'services.0.roleIds.0', message: 'notFound' },
    ])
    const groupId = await home.create()
    const { pool } = portal.system
    await expect(
      pool.query('insert into group_services (group_id, organization_id, service_id) values ($1, $2, $3)', [
        groupId,
        home.organizationId,
        other.serviceId,
      ]),
    ).rejects.toThrow('foreign key')
    await expect(
      pool.query('insert into group_service_roles (group_id, service_id, role_id) values ($1, $2, $3)', [
        groupId,
        home.serviceId,
        role,
      ]),
    ).rejects.toThrow('foreign key')
  })

  test('calls a group neither by a link nor as another group of the organisation is called', async () => {
    const [home, other] = [await newHome(), await newHome()]
    const post = (name: string) => home.browser.post('/api/groups', { organizationId: home.organizationId, name })
    expect((await post('evil.example')).json().issues).toEqual([{ path: 'name', message: 'nameLooksLikeAddress' }])
    expect((await post('Åtkomst')).statusCode).toBe(201)
    expect(problem(await post('åTKOMST'))).toEqual([409, 'groupNameTaken'])
    await other.create({ name: 'Åtkomst' })
  })

  test('a service admin and a member see no groups', async () => {
    const home = await newHome({ people: 2 })
    const [member, serviceAdmin] = home.people as [Person, Person]
    await portal.assign(serviceAdmin.accountId, home.organizationId, home.serviceId, 'serviceAdmin')
    const groupId = await home.create()
    for (const person of [member, serviceAdmin]) {
      const browser = await portal.signedIn(person)
      expect((await browser.get(`/api/groups/${groupId}`)).statusCode).toBe(403)
      expect((await browser.get(`/api/organizations/${home.organizationId}/groups`)).statusCode).toBe(403)
    }
  })
})

describe('people who come and go', () => {
  test('an invitation puts its person in the group when it is accepted, while the promiser may', async () => {
    const home = await newHome()
    const groupId = await home.create()
    const email = newEmail()
    expect((await home.browser.post('/api/invites', { organizationId: home.organizationId, email })).statusCode).toBe(
      201,
    )
    const invited = (await home.browser.get(`/api/organizations/${home.organizationId}/users?status=pending`)).json()
      .items[0]
    await home.put(groupId, [invited])
    expect(await home.members(groupId)).toMatchObject([{ email, pending: true, sources: [] }])
    expect((await invites.accept(email, await invites.mailedToken(email))).statusCode).toBeLessThan(300)
    expect(await home.members(groupId)).toMatchObject([{ email, pending: false, sources: ['hand'] }])
  })

  test('who leaves the organisation leaves its groups, and their seats', async () => {
    const home = await newHome({ people: 2, seats: 1 })
    const [first, second] = home.people as [Person, Person]
    const groupId = await home.create()
    await home.put(groupId, [first])
    await home.put(groupId, [second])
    const at = `/api/users/${first.accountId}/organization/${home.organizationId}`
    expect((await home.browser.delete(at)).statusCode).toBe(204)
    expect(await home.members(groupId)).toMatchObject([{ email: second.email, waitsFor: [] }])
    expect((await root.delete(`/api/organizations/${home.organizationId}?force=true`)).statusCode).toBe(204)
  })
})

describe("a rule on an attribute of the organisation's own sign-in", () => {
  const rule = { ruleAttribute: 'Department', ruleValue: 'Ekonomi' }
  /** A customer with its own sign-in and a service, somebody there, and a browser of its admin. */
  async function customer() {
    const acme = await company(portal)
    const { organizationId } = acme
    const { serviceId } = await portal.service()
    await portal.offer(organizationId, serviceId)
    const admin = await portal.person()
    await portal.join(admin.accountId, organizationId, 'organizationAdmin')
    const browser = await portal.signedIn(admin)
    const person = await employee(portal, acme)
    const create = async (form: object = rule): Promise<string> =>
      (
        await browser.post('/api/groups', { organizationId, name: newName(), services: [{ serviceId }], ...form })
      ).json().groupId
    const signIn = (department?: string) =>
      attempt(portal, {
        company: acme,
        craft: (asked) =>
          companyAnswer(acme, asked, { nameId: person.email, attributes: department ? { department } : {} }),
      })
    return { ...acme, serviceId, browser, person, create, signIn }
  }
  const sourcesOf = async (browser: Client, groupId: string) =>
    (await browser.get(`/api/groups/${groupId}/members`))
      .json()
      .items.flatMap(({ sources }: { sources: string[] }) => sources)

  test('puts who signs in with the value in the group, and takes them out at a sign-in without it', async () => {
    const acme = await customer()
    const groupId = await acme.create()
    expect(await acme.signIn('Lager')).toMatchObject({ signedInAs: acme.person.email })
    expect(await servicesOf(acme.person, acme)).toEqual([])
    await acme.signIn('Ekonomi')
    expect(await sourcesOf(acme.browser, groupId)).toEqual(['rule'])
    expect(await servicesOf(acme.person, acme)).toEqual([acme.serviceId])
    expect(await lastEvent('applyGroupRules', acme)).toMatchObject({
      target: acme.person.email,
      changes: expect.arrayContaining([expect.objectContaining({ property: 'groups' })]),
    })
    await acme.signIn()
    expect(await servicesOf(acme.person, acme)).toEqual([])
  })

  test('takes out only what it gave', async () => {
    const acme = await customer()
    const groupId = await acme.create()
    await acme.browser.post(`/api/groups/${groupId}/members`, { accountIds: [acme.person.accountId] })
    await acme.signIn('Ekonomi')
    expect(await sourcesOf(acme.browser, groupId)).toEqual(['hand', 'rule'])
    await acme.signIn('Lager')
    expect(await sourcesOf(acme.browser, groupId)).toEqual(['hand'])
  })

  test('begins without people when it changes, and ends with the sign-in that it asked', async () => {
    const acme = await customer()
    const groupId = await acme.create()
    await acme.signIn('Ekonomi')
    await acme.browser.put('/api/groups', { groupId, ruleValue: 'Lön' })
    expect(await sourcesOf(acme.browser, groupId)).toEqual([])
    await acme.signIn('Lön')
    expect(await sourcesOf(acme.browser, groupId)).toEqual(['rule'])
    const { organizationId } = acme
    const { version } = (await root.get(`/api/organizations/${organizationId}`)).json()
    const answer = await root.put('/api/organizations', { organizationId, version, loginMethod: 'local' })
    expect(answer.statusCode, answer.body).toBe(200)
    expect(await sourcesOf(acme.browser, groupId)).toEqual([])
  })

  test('of another organisation of the person asks nothing, and learns nothing', async () => {
    const [acme, other] = [await customer(), await customer()]
    await portal.join(acme.person.accountId, other.organizationId, 'regular', 'guest')
    const groupId = await other.create()
    await acme.signIn('Ekonomi')
    expect(await sourcesOf(other.browser, groupId)).toEqual([])
  })

  test('is an attribute and a value', async () => {
    const acme = await customer()
    const answer = await acme.browser.post('/api/groups', {
      organizationId: acme.organizationId,
      name: newName(),
      ruleAttribute: 'department',
    })
    expect(answer.json().issues).toEqual([{ path: 'ruleValue', message: 'required' }])
  })
})

test('a review says which groups give a service, and taking it back takes the person out of them', async () => {
  const home = await newHome()
  const groupId = await home.create({ name: 'Ekonomi' })
  await home.put(groupId)
  const at = `/api/organizations/${home.organizationId}/access-review`
  expect((await home.browser.post(at)).statusCode).toBe(204)
  const { items } = (await home.browser.get(at)).json()
  expect(items).toMatchObject([{ email: home.person.email, rows: [{ groups: ['Ekonomi'] }] }])
  const rowIds = [items[0].rows[0].rowId]
  const answer = await home.browser.post(`${at}/at-once`, { accountId: home.person.accountId, rowIds })
  expect(answer.statusCode, answer.body).toBe(204)
  expect([await home.members(groupId), await servicesOf(home.person, home)]).toEqual([[], []])
  expect(JSON.stringify((await lastEvent('updateUserServices', home)).changes)).toContain('Ekonomi')
})

test('a list shows and finds people by their groups, an import puts them in, and a file names them', async () => {
  const home = await newHome({ people: 2 })
  const groupId = await home.create({ name: 'Ekonomi & lön' })
  await home.put(groupId, [home.person])
  const [known, unknown] = [newEmail(), newEmail()]
  const rows = [
    { email: known, groups: ['ekonomi & LÖN'] },
    { email: unknown, groups: ['Lager'] },
  ]
  const imported = await home.browser.post('/api/invites/bulk', { organizationId: home.organizationId, rows })
  expect(imported.json().rows).toMatchObject([
    { outcome: 'invited' },
    { outcome: 'invalid', issues: [{ path: 'groups.0', message: 'groupUnknown' }] },
  ])
  const list = async (query: string) =>
    (await home.browser.get(`/api/organizations/${home.organizationId}/users?${query}`)).json().items
  const found = await list(`groupId=${groupId}`)
  expect(found.map(({ email }: Person) => email).sort()).toEqual([home.person.email, known].sort())
  for (const { groups } of found) expect(groups).toEqual([{ groupId, name: 'Ekonomi & lön' }])
  const of = { userId: home.person.accountId, organizationId: home.organizationId }
  expect(
    (await home.browser.get(`/api/users/${of.userId}/organization/${of.organizationId}/groups`)).json(),
  ).toMatchObject([{ groupId, sources: ['hand'], serviceIds: [home.serviceId], waitsFor: [] }])
  const file = await home.browser.get(`/api/organizations/${home.organizationId}/users/export?groupId=${groupId}`)
  expect(file.body).toContain('Ekonomi & lön')
})
