import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { setAccessDay } from '#test/access-day.ts'
import type { Client } from '#test/client.ts'
import { groupScene } from '#test/directory-groups.ts'
import { groupsOf } from '#test/group-home.ts'
import type { Person } from '#test/people.ts'
import { type TestApp, testApp } from '#test/test-app.ts'
import { listRolesIn } from './own-roles.repository.ts'

let portal: TestApp
let root: Client
let groups: ReturnType<typeof groupsOf>
let home: Awaited<ReturnType<ReturnType<typeof groupsOf>['newHome']>>
let person: Person
let own: Client
beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '1000000/60' })
  root = await portal.signedIn(await portal.person({ superUser: true }))
  groups = groupsOf(portal)
})
afterAll(() => portal?.close())
beforeEach(async () => {
  await setAccessDay(portal, '2031-01-01')
  home = await groups.newHome()
  person = home.person
  own = await portal.signedIn(person)
})

const seen = async (browser = own) => (await browser.get('/api/profile/roles')).json()
const always = { validFrom: null, validUntil: null }
const place = () => `/api/users/${person.accountId}/organization/${home.organizationId}`
const succeeds = async (answer: Promise<{ statusCode: number }>) => expect((await answer).statusCode).toBeLessThan(300)

test('a member without more is told the role of the membership, and its last day', async () => {
  await portal.system.pool.query(`update memberships set valid_until = '2031-12-31' where account_id = $1`, [
    person.accountId,
  ])
  expect(await seen()).toMatchObject({
    portal: [],
    organizations: [
      {
        organizationId: home.organizationId,
        endsOn: '2031-12-31',
        roles: [{ role: 'regular', name: null, ...always }],
        services: [],
      },
    ],
  })
})

test('a person sees every role in the organisation with its days, and none that has ended', async () => {
  const { organizationId, serviceId, service, browser } = home
  const planner = { name: 'Planerare', permissions: ['readPeople'] }
  const { roleId } = (await browser.post(`/api/organizations/${organizationId}/roles`, planner)).json()
  const admin = { userRole: 'organizationAdmin', roleUntil: '2031-02-28' }
  await succeeds(browser.post(`${place()}/service`, { ...admin, services: [{ serviceId, userRole: 'serviceAdmin' }] }))
  const roles = [
    { role: roleId, validUntil: '2031-03-31' },
    { role: 'reader', validFrom: '2031-06-01' },
  ]
  await succeeds(
    browser.post(`${place()}/roles`, { roles: [...roles, { role: 'helpDesk', validUntil: '2031-01-15' }] }),
  )
  const groupId = await home.create({ name: 'Avdelning A' })
  const { email } = person
  await succeeds(browser.post(`/api/groups/${groupId}/admins`, { email }))
  const owners = `/api/services/${serviceId}/${organizationId}/owners`
  await succeeds(browser.post(owners, { email, validUntil: '2031-04-30' }))
  await setAccessDay(portal, '2031-01-16')
  expect((await seen()).organizations[0].roles).toEqual([
    { role: 'organizationAdmin', name: null, validFrom: null, validUntil: '2031-02-28' },
    { role: roleId, name: 'Planerare', validFrom: null, validUntil: '2031-03-31' },
    { role: 'reader', name: null, validFrom: '2031-06-01', validUntil: null },
    { role: 'serviceAdmin', name: service, ...always },
    { role: 'groupAdmin', name: 'Avdelning A', ...always },
    { role: 'serviceOwner', name: service, validFrom: null, validUntil: '2031-04-30' },
  ])
  await setAccessDay(portal, '2031-05-01')
  expect((await seen()).organizations[0].roles.map(({ role }: { role: string }) => role)).toEqual([
    ...['regular', 'reader', 'serviceAdmin', 'groupAdmin'],
  ])
})

test('a role by hand and by two groups of the directory is there once, as long as its longest source', async () => {
  const { here, people, decide } = await groupScene(portal)
  const { accountId } = await here.accountAt(people[0].email)
  const { organizationId } = here
  await portal.give(accountId, organizationId, 'reader')
  const days = "update all_grants set valid_from = '2031-02-01', valid_until = '2031-03-31' where account_id = $1"
  await portal.system.pool.query(days, [accountId])
  const readers = async () => {
    const [place] = await listRolesIn(portal.system.db, accountId, [organizationId])
    return place?.roles.filter(({ role }) => role === 'reader')
  }
  const reader = { role: 'reader', name: null }
  expect(await readers()).toEqual([{ ...reader, validFrom: '2031-02-01', validUntil: '2031-03-31' }])
  await succeeds(decide({ becomes: 'role', role: 'reader' }))
  const members = people.map(({ id }) => ({ value: id }))
  const other = (await here.call('POST', '/Groups', { displayName: 'On call', members })).json()
  await succeeds(here.browser.put(`${here.url}/groups/${other.id}`, { becomes: 'role', role: 'reader' }))
  expect(await readers()).toEqual([{ ...reader, ...always }])
})

test('the roles of a service have their names, and the day on which the last source of each ends', async () => {
  const { serviceId, service } = home
  const declared = { serviceId, key: 'doctor', nameSv: 'Läkare', nameEn: 'Doctor' }
  const { roleId } = (await root.post('/api/service-roles', declared)).json()
  await portal.assign(person.accountId, home.organizationId, serviceId)
  const byHand = { roleIds: [roleId], periods: [{ roleId, validUntil: '2031-02-28' }] }
  await succeeds(home.browser.post(`${place()}/service/${serviceId}/roles`, byHand))
  const shown = async () => (await seen()).organizations[0].services
  const named = { roleId, nameSv: 'Läkare', nameEn: 'Doctor', nameFi: null, nameFr: null }
  expect(await shown()).toEqual([
    { serviceId, name: service, endsOn: null, roles: [{ ...named, validUntil: '2031-02-28' }] },
  ])
  const groupId = await home.create({ services: [{ serviceId, roleIds: [roleId] }] })
  await home.put(groupId, home.people, { validUntil: '2031-05-31' })
  expect(await shown()).toMatchObject([{ endsOn: null, roles: [{ validUntil: '2031-05-31' }] }])
  await setAccessDay(portal, '2031-06-01')
  expect(await shown()).toEqual([])
})

test('a service without roles is there when it ends before the membership', async () => {
  const { serviceId, service, organizationId } = home
  await portal.assign(person.accountId, organizationId, serviceId)
  expect((await seen()).organizations[0].services).toEqual([])
  const { pool } = portal.system
  const ends = `update service_assignments set valid_until = '2031-07-31' where account_id = $1`
  await pool.query(ends, [person.accountId])
  const own = { serviceId, name: service, endsOn: '2031-07-31', roles: [] }
  expect((await seen()).organizations[0].services).toEqual([own])
  await pool.query(`update memberships set valid_until = '2031-06-30' where account_id = $1`, [person.accountId])
  expect((await seen()).organizations[0].services).toEqual([])
})

test('a role in the portal is there with its days until it has ended', async () => {
  expect((await seen(root)).portal).toEqual([{ role: 'superUser', name: null, ...always }])
  const auditor = await portal.person({ portalRole: 'auditor' })
  const browser = await portal.signedIn(auditor)
  const lastDay = "update all_grants set valid_until = $1 where account_id = $2 and scope = 'portal'"
  await portal.system.pool.query(lastDay, ['2031-01-31', auditor.accountId])
  expect((await seen(browser)).portal).toEqual([
    { role: 'portalAuditor', name: null, validFrom: null, validUntil: '2031-01-31' },
  ])
  await setAccessDay(portal, '2031-02-01')
  expect((await seen(browser)).portal).toEqual([])
})

test('of an organisation that asks for a stronger sign-in, nothing is told before', async () => {
  const strict = await portal.organization(undefined, 'bankid')
  await portal.join(person.accountId, strict.organizationId, 'organizationAdmin')
  await portal.system.pool.query(`update memberships set entry = 'joined' where organization_id = $1`, [
    strict.organizationId,
  ])
  const { organizations } = await seen()
  expect(organizations.map(({ organizationId }: { organizationId: string }) => organizationId)).toEqual([
    home.organizationId,
  ])
  const known = (await own.get(`/api/users/${person.accountId}/organizations`)).json()
  expect(known).toContainEqual(expect.objectContaining({ name: strict.name, needs: 'bankid' }))
})
