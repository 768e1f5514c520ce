import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtInRoles, rolePermissions } from '#contract/organization-roles/role-permissions.ts'
import type { User } from '#contract/users/users.ts'
import { setAccessDay } from '#test/access-day.ts'
import type { Client } from '#test/client.ts'
import type { Person } from '#test/people.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let home: { organizationId: string }
let journal: { serviceId: string }
let people: Record<string, Person>
const ownRoles: Record<string, string> = {}

const ownSets = {
  editor: ['editPeople'],
  'editor who hands out services': ['editPeople', 'assignServices'],
  'editor who gives roles': ['editPeople', 'giveRoles'],
  'editor who does both': ['editPeople', 'assignServices', 'giveRoles'],
  'editor who reads the log': ['editPeople', 'readAudit'],
  'holder of everything': [...rolePermissions],
} as const
const givers = ['organizationAdmin', 'serviceAdmin', ...Object.keys(builtInRoles), ...Object.keys(ownSets)]

beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '1000000/60', LIMIT_AUTH_TYPE: '100000/60' })
  await setAccessDay(portal, '2026-12-01')
  home = await portal.organization()
  const other = await portal.organization()
  journal = await portal.service('Journal')
  const archive = await portal.service('Archive')
  for (const { serviceId } of [journal, archive])
    for (const { organizationId } of [home, other]) await portal.offer(organizationId, serviceId)
  const admin = await portal.person()
  await portal.join(admin.accountId, home.organizationId, 'organizationAdmin')
  const browser = await portal.signedIn(admin)
  const url = `/api/organizations/${home.organizationId}/roles`
  for (const [name, permissions] of Object.entries(ownSets))
    ownRoles[name] = (await browser.post(url, { name, permissions })).json().roleId
  people = { admin }
  for (const role of givers) people[`another ${role}`] = await holder(role)
  people['with nothing'] = await holder()
  people['with a service'] = await holder()
  await portal.assign(people['with a service']?.accountId ?? '', home.organizationId, journal.serviceId)
  const both = await holder()
  people['of two organisations'] = both
  await portal.join(both.accountId, other.organizationId, 'organizationAdmin')
  people['who operates the portal'] = await portal.person({ superUser: true })
  await portal.join(people['who operates the portal'].accountId, home.organizationId)
  // A role and a service that begin later are held back just the same.
  const later = await holder()
  people['admin from next year on'] = later
  const place = `/api/users/${later.accountId}/organization/${home.organizationId}/service`
  await browser.post(place, { userRole: 'organizationAdmin', roleFrom: '2027-01-01', services: [] })
})
afterAll(() => portal?.close())

/** A member with a role of the organisation: built-in, own, the admin's or that of a service's admin. */
async function holder(role?: string): Promise<Person> {
  const person = await portal.person()
  const { accountId } = person
  await portal.join(accountId, home.organizationId, role === 'organizationAdmin' ? role : 'regular')
  if (role === 'serviceAdmin') await portal.assign(accountId, home.organizationId, journal.serviceId, role)
  else if (role && role !== 'organizationAdmin')
    await portal.give(accountId, home.organizationId, ownRoles[role] ?? role)
  return person
}

/** What the lists and the page of a person say; undefined where they are out of sight. */
async function flags(by: Client, { accountId, email }: Person) {
  const lists = [
    `/api/organizations/${home.organizationId}/users`,
    `/api/services/${journal.serviceId}/${home.organizationId}/users`,
  ]
  const said = []
  for (const url of lists) {
    const answer = await by.get(`${url}?searchQuery=${email}`)
    const rows: User[] = answer.statusCode === 200 ? answer.json().items : []
    said.push(...rows.filter((row) => row.accountId === accountId).map((row) => row.editable))
  }
  const page = await by.get(`/api/users/${accountId}/organization/${home.organizationId}/service/-`)
  if (page.statusCode === 200) said.push(page.json().editable)
  return said
}

test.each(givers)(
  'what lists and pages call editable is accepted from a %s, and everything else is refused',
  async (role) => {
    const own = await holder(role)
    const by = await portal.signedIn(own)
    let number = 0
    for (const [who, person] of Object.entries({ ...people, themselves: own })) {
      const said = await flags(by, person)
      const { accountId } = person
      const name = { firstName: `Name ${++number}` }
      // Nobody changes their own number here.
      const change = person === own ? name : { ...name, phoneNumber: `+467017406${10 + (number % 80)}` }
      const { statusCode, body } = await by.put('/api/users', { accountId, ...change })
      for (const editable of said) expect([who, editable, body]).toEqual([who, statusCode === 200, body])
      if (said.length === 0) expect([who, statusCode]).not.toEqual([who, 200])
    }
  },
)
