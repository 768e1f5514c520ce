import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { rolePermissions } from '#contract/organization-roles/role-permissions.ts'
import { setAccessDay } from '#test/access-day.ts'
import { type Client, outcome } from '#test/client.ts'
import { invitationsOf, invite, invitePath, newEmail } from '#test/invitations.ts'
import type { Person } from '#test/people.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let root: Client
let home: { organizationId: string }
let adminPerson: Person
let admin: Client
let colleague: Person
let journal: { serviceId: string }
beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '1000000/60', LIMIT_AUTH_TYPE: '100000/60', LIMIT_INVITATION_RESEND: '1000/60' })
  root = await portal.signedIn(await portal.person({ superUser: true }))
  journal = await portal.service('Journal')
})
afterAll(() => portal?.close())
beforeEach(async () => {
  await setAccessDay(portal, '2026-12-01')
  home = await portal.organization()
  await portal.offer(home.organizationId, journal.serviceId)
  adminPerson = await portal.person()
  await portal.join(adminPerson.accountId, home.organizationId, 'organizationAdmin')
  admin = await portal.signedIn(adminPerson)
  colleague = await member()
})

async function member() {
  const person = await portal.person()
  await portal.join(person.accountId, home.organizationId)
  return person
}
async function holder(role: string) {
  const person = await member()
  await portal.give(person.accountId, home.organizationId, role)
  return { person, browser: await portal.signedIn(person) }
}
let roles = 0
const createRole = async (...permissions: string[]): Promise<string> =>
  (
    await admin.post(`/api/organizations/${home.organizationId}/roles`, {
      ...{ name: `Role ${++roles}`, permissions },
    })
  ).json().roleId
const placeOf = ({ accountId }: Pick<Person, 'accountId'>) =>
  `/api/users/${accountId}/organization/${home.organizationId}`
const setServices = (by: Client, person: Pick<Person, 'accountId'>, body: object) =>
  by.post(`${placeOf(person)}/service`, { services: [], ...body })
const give = (person: Person, ...roles: object[]) => admin.post(`${placeOf(person)}/roles`, { roles })
const invited = async (email: string): Promise<Person> =>
  (await admin.get(`/api/organizations/${home.organizationId}/users`))
    .json()
    .items.find((one: Person) => one.email === email)
const regular = () => ({ serviceId: journal.serviceId, userRole: 'regular' })

describe('an invitation of somebody with more rights is out of reach', () => {
  async function adminToBe() {
    const email = newEmail()
    expect(outcome(await invite(admin, home.organizationId, email, { userRole: 'organizationAdmin' }))).toBe(201)
    return email
  }

  test('who only invites sees no link that makes somebody an admin or gives a service', async () => {
    const email = await adminToBe()
    const { browser } = await holder('personnelAdministrator')
    expect(outcome(await browser.get(invitePath(email, home.organizationId)))).toEqual([403, 'moreThanOwn'])
    expect(outcome(await admin.get(invitePath(email, home.organizationId)))).toBe(200)
    const withService = newEmail()
    await invite(admin, home.organizationId, withService)
    await setServices(admin, await invited(withService), { services: [regular()] })
    expect(outcome(await browser.get(invitePath(withService, home.organizationId)))).toBe(200)
    const inviter = await holder(await createRole('invitePeople'))
    expect(outcome(await inviter.browser.get(invitePath(withService, home.organizationId)))).toEqual([
      403,
      'moreThanOwn',
    ])
  })

  test('an admin whose role ends sees no link to an admin role without an end', async () => {
    const email = await adminToBe()
    const ends = await portal.person()
    await portal.join(ends.accountId, home.organizationId, 'organizationAdmin')
    expect(outcome(await setServices(admin, ends, { userRole: 'organizationAdmin', roleUntil: '2026-12-31' }))).toBe(
      204,
    )
    const browser = await portal.signedIn(ends)
    expect(outcome(await browser.get(invitePath(email, home.organizationId)))).toEqual([403, 'longerThanOwn'])
    const own = newEmail()
    await invite(browser, home.organizationId, own, { userRole: 'organizationAdmin' })
    expect(outcome(await browser.get(invitePath(own, home.organizationId)))).toBe(200)
  })

  test('an admin who has accepted and not signed in yet is not sent back by somebody with fewer rights', async () => {
    const invites = invitationsOf(portal)
    home = await portal.organization(undefined, 'bankid')
    const person = await portal.person()
    await portal.join(person.accountId, home.organizationId, 'organizationAdmin')
    admin = await portal.signedIn(person)
    const email = await adminToBe()
    const token = await invites.mailedToken(email)
    expect(outcome(await invites.acceptWithSsn(email, token, 'bankid', '191212121212'))).toBe(204)
    const again = { email, organizationId: home.organizationId }
    for (const role of ['personnelAdministrator', 'helpDesk'])
      expect(outcome(await (await holder(role)).browser.post('/api/invites/resend-invite', again))).toEqual([
        403,
        'moreThanOwn',
      ])
    expect(outcome(await admin.post('/api/invites/resend-invite', again))).toBe(204)
  })

  test('nobody invites an admin without being one', async () => {
    const { browser } = await holder('personnelAdministrator')
    const email = newEmail()
    const asAdmin = await invite(browser, home.organizationId, email, { userRole: 'organizationAdmin' })
    expect(outcome(asAdmin)).toEqual([403, 'moreThanOwn'])
    expect(await invited(email)).toBeUndefined()
  })

  test('nor changes the days of such an invitation, or withdraws it', async () => {
    const person = await invited(await adminToBe())
    const { browser } = await holder('personnelAdministrator')
    const days = { userRole: 'organizationAdmin', validUntil: '2027-01-01' }
    expect(outcome(await setServices(browser, person, days))).toEqual([403, 'moreThanOwn'])
    expect(outcome(await browser.delete(placeOf(person)))).toEqual([403, 'moreThanOwn'])
    expect(outcome(await setServices(admin, person, days))).toBe(204)
  })
})

describe('days that end are not extended by who has no longer ones', () => {
  test('two people whose memberships end do not extend each other', async () => {
    const [one, other] = [await holder('personnelAdministrator'), await holder('personnelAdministrator')]
    for (const { person } of [one, other])
      expect(outcome(await setServices(admin, person, { validUntil: '2026-12-10' }))).toBe(204)
    const longer = { validUntil: '2027-12-01' }
    expect(outcome(await setServices(one.browser, other.person, longer))).toEqual([403, 'longerThanOwn'])
    const bulk = await one.browser.post(`/api/organizations/${home.organizationId}/users/extend`, {
      ...{ accountIds: [other.person.accountId], ...longer },
    })
    expect(bulk.json().rows).toMatchObject([{ outcome: 'failed', reason: 'longerThanOwn' }])
  })

  test('nor does one whose role ends decide how somebody signs in who has it for longer', async () => {
    const ending = await member()
    await give(ending, { role: 'personnelAdministrator', validUntil: '2026-12-10' })
    const browser = await portal.signedIn(ending)
    const { person } = await holder('personnelAdministrator')
    const phone = { accountId: person.accountId, phoneNumber: '+46701740606' }
    expect(outcome(await browser.put('/api/users', phone))).toEqual([403, 'longerThanOwn'])
    expect(outcome(await browser.put('/api/users', { ...phone, accountId: colleague.accountId }))).toBe(200)
  })

  test('somebody who edits people and hands out no services leaves services and their roles as they are', async () => {
    await portal.assign(colleague.accountId, home.organizationId, journal.serviceId)
    const { browser } = await holder(await createRole('editPeople'))
    const longer = { validUntil: '2027-12-01' }
    expect(outcome(await setServices(browser, colleague, { ...longer, services: [regular()] }))).toBe(204)
    const changed = { ...regular(), validUntil: '2026-12-31' }
    expect(outcome(await setServices(browser, colleague, { services: [changed] }))).toEqual([403, 'forbidden'])
    const mine = await admin.get(`${placeOf(colleague)}/service/-`)
    expect(mine.json().services).toMatchObject([{ serviceId: journal.serviceId, validUntil: null }])
  })
})

test('somebody who hands out no services does not decide how a person with one signs in', async () => {
  const { browser } = await holder(await createRole('editPeople'))
  const phone = { accountId: colleague.accountId, phoneNumber: '+46701740606' }
  expect(outcome(await browser.put('/api/users', phone))).toBe(200)
  await portal.assign(colleague.accountId, home.organizationId, journal.serviceId)
  const other = { ...phone, phoneNumber: '+46701740607' }
  expect(outcome(await browser.put('/api/users', other))).toEqual([403, 'forbidden'])
})

describe('a person with all permissions is guarded as an admin is, under any name of the role', () => {
  test('the membership of the only one gets no end', async () => {
    const { person, browser } = await holder(await createRole(...rolePermissions))
    const most = await createRole(...rolePermissions.filter((name) => name !== 'readAudit'))
    expect(outcome(await setServices(browser, adminPerson, { userRole: 'regular' }))).toBe(204)
    const other = await holder(most)
    expect(outcome(await setServices(other.browser, person, { validUntil: '2027-01-01' }))).toEqual([
      403,
      'moreThanOwn',
    ])
    expect(outcome(await setServices(browser, person, { validUntil: '2027-01-01' }))).toEqual([409, 'lastAdminStays'])
  })

  test('the rule that admins sign in with a passkey is about who gives roles, too', async () => {
    const giver = await holder(await createRole('giveRoles'))
    const reader = await holder('reader')
    const { db } = portal.system
    await db
      .updateTable('organizations')
      .set({ strongAdminsFrom: new Date('2026-01-01') })
      .where('organizationId', '=', home.organizationId)
      .execute()
    const list = `/api/organizations/${home.organizationId}/users`
    expect(outcome(await giver.browser.get(list))).toEqual([403, 'strongerSignInRequired'])
    expect(outcome(await reader.browser.get(list))).toBe(200)
  })
})

test('an auditor reads in the log nothing of the details that the page of a person hides, nor when somebody becomes passive', async () => {
  const change = {
    accountId: colleague.accountId,
    phoneNumber: '+46701740606',
    firstName: 'Other',
    ssn: '191212121212',
  }
  expect(outcome(await root.put('/api/users', change))).toBe(200)
  const seenBy = async (role: string) => {
    const { browser } = await holder(role)
    const { items } = (
      await browser.get(`/api/audit-events?nameFilter=updateUser&targetIdFilter=${colleague.accountId}`)
    ).json()
    const [of] = items
    const preview = await browser.get(`/api/organizations/${home.organizationId}/passive-preview`)
    return [of.changes.map(({ property }: { property: string }) => property).sort(), preview.statusCode]
  }
  expect(await seenBy('auditor')).toEqual([['firstName'], 403])
  expect(await seenBy('reader')).toEqual([expect.arrayContaining(['firstName', 'phoneNumber', 'ssn']), 200])
})

test('a reviewer who appoints no service admins does not take the service from one', async () => {
  await portal.assign(colleague.accountId, home.organizationId, journal.serviceId, 'serviceAdmin')
  const url = `/api/organizations/${home.organizationId}/access-review`
  expect(outcome(await admin.post(url))).toBe(204)
  const { browser } = await holder(await createRole('decideReviews'))
  const [person] = (await browser.get(url)).json().items
  const rowIds = person.rows.map(({ rowId }: { rowId: string }) => rowId)
  const atOnce = (by: Client) => by.post(`${url}/at-once`, { accountId: person.accountId, rowIds })
  expect(outcome(await atOnce(browser))).toEqual([403, 'moreThanOwn'])
  expect(outcome(await atOnce(admin))).toBe(204)
})
