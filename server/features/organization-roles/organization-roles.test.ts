import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { builtInRoles, rolePermissions } from '#contract/organization-roles/role-permissions.ts'
import { setAccessDay } from '#test/access-day.ts'
import type { Client } from '#test/client.ts'
import { invitationsOf, newEmail } from '#test/invitations.ts'
import type { Person } from '#test/people.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let root: Client
let home: { organizationId: string; name: string }
let adminPerson: Person
let admin: Client
let colleague: Person
let service: { serviceId: string }
beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '1000000/60', LIMIT_AUTH_TYPE: '100000/60' })
  root = await portal.signedIn(await portal.person({ superUser: true }))
  service = await portal.service('Journal')
})
afterAll(() => portal?.close())
beforeEach(async () => {
  await setAccessDay(portal, '2026-12-01')
  home = await portal.organization()
  await portal.offer(home.organizationId, service.serviceId)
  adminPerson = await portal.person()
  await portal.join(adminPerson.accountId, home.organizationId, 'organizationAdmin')
  admin = await portal.signedIn(adminPerson)
  colleague = await member()
})

async function member() {
  const person = await portal.person({ phoneNumber: '+46701740605' })
  await portal.join(person.accountId, home.organizationId)
  return person
}

/** A member with a role, built-in or the organisation's own, and their session. */
async function holder(role: string) {
  const person = await member()
  await portal.give(person.accountId, home.organizationId, role)
  return { person, browser: await portal.signedIn(person) }
}

const rolesUrl = (organizationId = home.organizationId) => `/api/organizations/${organizationId}/roles`
const ownUrl = ({ accountId }: Person, what: string) =>
  `/api/users/${accountId}/organization/${home.organizationId}/${what}`
const give = (by: Client, person: Person, ...roles: object[]) => by.post(ownUrl(person, 'roles'), { roles })
const setServices = (by: Client, person: Person, body: object) =>
  by.post(ownUrl(person, 'service'), { services: [], ...body })
const createRole = async (permissions: readonly string[], name = 'Porter', by = admin): Promise<string> =>
  (await by.post(rolesUrl(), { name, permissions })).json().roleId
const refusal = ({ statusCode, json }: Awaited<ReturnType<Client['get']>>) => [statusCode, json().message]
const people = (by: Client) => by.get(`/api/organizations/${home.organizationId}/users`)

describe('an organisation makes roles of its own', () => {
  test('an admin makes one, gives it for a time, and it acts in the open session from its first day to its last', async () => {
    const roleId = await createRole(['editPeople'])
    const browser = await portal.signedIn(colleague)
    expect((await people(browser)).statusCode).toBe(403)
    const days = { validFrom: '2026-12-02', validUntil: '2026-12-03' }
    expect((await give(admin, colleague, { role: roleId, ...days })).statusCode).toBe(204)
    expect((await people(browser)).statusCode).toBe(403)
    for (const day of ['2026-12-02', '2026-12-03']) {
      await setAccessDay(portal, day)
      expect((await people(browser)).statusCode).toBe(200)
    }
    await setAccessDay(portal, '2026-12-04')
    expect((await people(browser)).statusCode).toBe(403)
    expect((await admin.get(ownUrl(colleague, 'roles'))).json()).toEqual([{ role: roleId, ...days }])
  })

  test('a role allows to see what it changes', async () => {
    const roleId = await createRole(['manageSettings', 'editPeople'])
    const role = (await admin.get(`${rolesUrl()}/${roleId}`)).json()
    expect(role.permissions).toEqual(['readPeople', 'readDetails', 'editPeople', 'readSettings', 'manageSettings'])
  })

  test('two roles of an organisation cannot have the same name; another organisation may use it', async () => {
    await createRole(['readPeople'], 'Läsare')
    expect(refusal(await admin.post(rolesUrl(), { name: 'läsare', permissions: ['readPeople'] }))).toEqual([
      409,
      'roleNameUsed',
    ])
    const other = await portal.organization()
    expect(
      (await root.post(rolesUrl(other.organizationId), { name: 'Läsare', permissions: ['readPeople'] })).statusCode,
    ).toBe(201)
  })

  test('who loses the membership loses its roles, and comes back without', async () => {
    await give(admin, colleague, { role: 'auditor' })
    await admin.delete(`/api/users/${colleague.accountId}/organization/${home.organizationId}`)
    await portal.join(colleague.accountId, home.organizationId)
    expect((await admin.get(ownUrl(colleague, 'roles'))).json()).toEqual([])
  })
})

describe('what each built-in role may', () => {
  test('a reader and an auditor see the people; an auditor no personal detail in any answer', async () => {
    await portal.assign(colleague.accountId, home.organizationId, service.serviceId)
    const url = `/api/users/${colleague.accountId}/organization/${home.organizationId}/service/-`
    await root.put('/api/users', { accountId: colleague.accountId, ssn: '191212121212' })
    const answers = async (by: Client) =>
      JSON.stringify([
        (await people(by)).json(),
        (await by.get(url)).json(),
        (await by.get(`/api/organizations/${home.organizationId}/users/export`)).body,
        (await by.get(`/api/services/${service.serviceId}/${home.organizationId}/users`)).body,
      ])
    const [reader, auditor] = [(await holder('reader')).browser, (await holder('auditor')).browser]
    expect(await answers(reader)).toContain('+46701740605')
    expect(await answers(reader)).toContain('19121212-****')
    expect(await answers(auditor)).toContain(colleague.email)
    for (const secret of ['+46701740605', '19121212']) expect(await answers(auditor)).not.toContain(secret)
    // Nor does a filter tell it.
    const filtered = await auditor.get(`/api/organizations/${home.organizationId}/users?loginMethod=local`)
    expect(filtered.json().items.map((one: Person) => one.email)).not.toContain(colleague.email)
    // Of the log only the part of the number that everybody may see is left, and no phone number.
    const events = (await auditor.get('/api/audit-events')).body
    expect(events).not.toContain('+46701740605')
    expect(events).not.toContain('191212121212')
  })

  test('the help desk sends invitations again and marks people as active, and changes nobody', async () => {
    const { browser } = await holder('helpDesk')
    expect((await browser.post(`/api/users/${colleague.accountId}/last-active/now`)).statusCode).toBe(204)
    const reset = { email: colleague.email, tokenLifeTimeInHours: 24 }
    expect((await browser.post('/api/initiate-password-reset', reset)).statusCode).toBe(204)
    expect((await browser.put('/api/users', { accountId: colleague.accountId, firstName: 'Other' })).statusCode).toBe(
      403,
    )
    expect((await setServices(browser, colleague, { userRole: 'organizationAdmin' })).statusCode).toBe(403)
    expect(
      (await browser.post('/api/invites', { email: newEmail(), organizationId: home.organizationId })).statusCode,
    ).toBe(403)
  })

  test('a personnel administrator invites, edits and removes people and hands out services, and gives no role', async () => {
    const { browser } = await holder('personnelAdministrator')
    const email = newEmail()
    expect((await browser.post('/api/invites', { email, organizationId: home.organizationId })).statusCode).toBe(201)
    expect((await browser.put('/api/users', { accountId: colleague.accountId, firstName: 'Other' })).statusCode).toBe(
      200,
    )
    const one = { serviceId: service.serviceId, userRole: 'regular' }
    expect((await setServices(browser, colleague, { services: [one], validUntil: '2027-01-01' })).statusCode).toBe(204)
    const asAdmin = { ...one, userRole: 'serviceAdmin' }
    expect((await setServices(browser, colleague, { services: [asAdmin] })).statusCode).toBe(403)
    expect((await setServices(browser, colleague, { userRole: 'organizationAdmin', services: [one] })).statusCode).toBe(
      403,
    )
    expect((await give(browser, colleague, { role: 'reader' })).statusCode).toBe(403)
    expect((await browser.delete(ownUrl(colleague, '').slice(0, -1))).statusCode).toBe(204)
  })

  test('nobody changes, helps past the factors, or removes somebody with more rights', async () => {
    const { browser } = await holder('personnelAdministrator')
    const { accountId } = adminPerson
    const phone = await browser.put('/api/users', { accountId, phoneNumber: '+46701740606' })
    expect(phone.statusCode).toBe(403)
    expect((await browser.post(`/api/users/${accountId}/recovery`, { reason: 'Lost' })).statusCode).toBe(403)
    expect(refusal(await browser.delete(ownUrl(adminPerson, '').slice(0, -1)))).toEqual([403, 'moreThanOwn'])
    expect(refusal(await setServices(browser, adminPerson, { validUntil: '2026-12-02' }))).toEqual([403, 'moreThanOwn'])
    const row = (await people(browser)).json().items.find((one: Person) => one.accountId === accountId)
    expect(row.editable).toBe(false)
    const bulk = await browser.post(`/api/organizations/${home.organizationId}/users/remove`, {
      accountIds: [accountId],
    })
    expect(bulk.json().rows).toEqual([{ accountId, outcome: 'failed', reason: 'moreThanOwn' }])
  })
})

describe('nobody gives what they do not hold', () => {
  /** Somebody who may give roles, and little else. */
  async function giver(...more: string[]) {
    return holder(await createRole(['giveRoles', ...more], 'Giver'))
  }

  test('a holder of a part gives that part, and neither the whole nor another part', async () => {
    const { browser } = await giver('readDetails', 'helpPeople')
    expect((await give(browser, colleague, { role: 'helpDesk' })).statusCode).toBe(204)
    for (const role of ['auditor', 'reader', 'personnelAdministrator'])
      expect(refusal(await give(browser, colleague, { role: 'helpDesk' }, { role }))).toEqual([403, 'moreThanOwn'])
    expect(refusal(await setServices(browser, colleague, { userRole: 'organizationAdmin' }))).toEqual([
      403,
      'moreThanOwn',
    ])
    // Nor take it.
    await give(admin, colleague, { role: 'auditor' })
    expect(refusal(await give(browser, colleague))).toEqual([403, 'moreThanOwn'])
    expect(refusal(await setServices(browser, adminPerson, { userRole: 'regular' }))).toEqual([403, 'moreThanOwn'])
  })

  test('nor makes a role of it, or widens, renames or removes one', async () => {
    const strong = await createRole(rolePermissions, 'Everything')
    const { browser } = await giver('readDetails', 'helpPeople')
    const own = await createRole(['helpPeople'], 'Helper', browser)
    const refused = [
      browser.post(rolesUrl(), { name: 'More', permissions: ['readAudit'] }),
      browser.put(`${rolesUrl()}/${own}`, { permissions: ['helpPeople', 'readAudit'] }),
      browser.put(`${rolesUrl()}/${strong}`, { name: 'Harmless' }),
      browser.put(`${rolesUrl()}/${strong}`, { permissions: ['helpPeople'] }),
      browser.delete(`${rolesUrl()}/${strong}`),
    ]
    for (const one of refused) expect(refusal(await one)).toEqual([403, 'moreThanOwn'])
  })

  test('a holder does not widen the own role, also with what another role gives, nor extend or give it to themselves', async () => {
    const roleId = await createRole(['giveRoles'], 'Giver')
    const { person, browser } = await holder(roleId)
    await portal.give(person.accountId, home.organizationId, 'auditor')
    const wider = { permissions: ['giveRoles', 'readAudit'] }
    expect(refusal(await browser.put(`${rolesUrl()}/${roleId}`, wider))).toEqual([403, 'ownRole'])
    await give(admin, person, { role: roleId, validUntil: '2026-12-31' }, { role: 'auditor' })
    for (const validUntil of [null, '2027-01-01'])
      expect(refusal(await give(browser, person, { role: roleId, validUntil }, { role: 'auditor' }))).toEqual([
        403,
        'ownAccount',
      ])
    expect(refusal(await give(admin, adminPerson, { role: 'auditor' }))).toEqual([403, 'ownAccount'])
  })

  test('nor gives it for longer than they hold it', async () => {
    const roleId = await createRole(['giveRoles', 'readDetails', 'helpPeople'], 'Giver')
    const person = await member()
    await give(admin, person, { role: roleId, validUntil: '2026-12-31' })
    const browser = await portal.signedIn(person)
    const helping = (validUntil: string | null) => give(browser, colleague, { role: 'helpDesk', validUntil })
    expect(refusal(await helping(null))).toEqual([403, 'longerThanOwn'])
    expect(refusal(await helping('2027-01-01'))).toEqual([403, 'longerThanOwn'])
    expect((await helping('2026-12-31')).statusCode).toBe(204)
    expect(refusal(await helping('2027-01-01'))).toEqual([403, 'longerThanOwn'])
    // A permission that is added is given to everybody who has the role, for as long as they have it.
    const helpers = await createRole(['readPeople'], 'Helpers')
    await give(admin, colleague, { role: helpers })
    const wider = { permissions: ['helpPeople'] }
    expect(refusal(await browser.put(`${rolesUrl()}/${helpers}`, wider))).toEqual([403, 'longerThanOwn'])
  })

  test('an import, an invitation and its change promise no more than their author holds', async () => {
    const { browser } = await holder(await createRole(['invitePeople'], 'Inviter'))
    const { organizationId } = home
    const rows = (more: object) => ({ organizationId, rows: [{ email: newEmail(), ...more }] })
    for (const more of [{ userRole: 'organizationAdmin' }, { services: ['Journal'] }])
      for (const call of ['/api/invites/bulk', '/api/invites/bulk/dry-run'])
        expect(refusal(await browser.post(call, rows(more)))).toEqual([403, 'moreThanOwn'])
    expect((await browser.post('/api/invites/bulk', rows({}))).statusCode).toBe(200)
    const email = newEmail()
    await browser.post('/api/invites', { email, organizationId })
    const invited = (await people(browser)).json().items.find((one: Person) => one.email === email)
    expect((await setServices(browser, invited, { userRole: 'organizationAdmin' })).statusCode).toBe(403)
    const one = { serviceId: service.serviceId, userRole: 'regular' }
    expect((await setServices(browser, invited, { services: [one] })).statusCode).toBe(403)
  })

  test('an invitation gives nothing more than regular once its inviter has lost what it promises', async () => {
    const invites = invitationsOf(portal)
    const everything = await createRole(rolePermissions, 'Everything')
    const { person, browser } = await holder(everything)
    const email = newEmail()
    const rows = [{ email, userRole: 'organizationAdmin' }]
    expect((await browser.post('/api/invites/bulk', { organizationId: home.organizationId, rows })).statusCode).toBe(
      200,
    )
    const token = await invites.mailedToken(email)
    expect((await give(admin, person)).statusCode).toBe(204)
    expect((await invites.accept(email, token)).statusCode).toBe(204)
    const found = (await people(admin)).json().items.find((one: Person) => one.email === email)
    expect(found.organizations).toMatchObject([{ userRole: 'regular' }])
  })

  test('an open session has lost the right with the role', async () => {
    const { person, browser } = await giver('readDetails', 'helpPeople')
    await give(admin, person)
    expect((await give(browser, colleague, { role: 'helpDesk' })).statusCode).toBe(403)
  })
})

describe('a role stays in its organisation', () => {
  test('a role of another organisation is unknown here, to the database too', async () => {
    const other = await portal.organization()
    const foreign = (
      await root.post(rolesUrl(other.organizationId), { name: 'Foreign', permissions: rolePermissions })
    ).json().roleId
    const refused = await give(admin, colleague, { role: foreign })
    expect([refused.statusCode, refused.json().issues]).toEqual([422, [{ path: 'roles.0.role', message: 'notFound' }]])
    for (const send of [
      () => admin.get(`${rolesUrl()}/${foreign}`),
      () => admin.put(`${rolesUrl()}/${foreign}`, { permissions: ['readPeople'] }),
      () => admin.delete(`${rolesUrl()}/${foreign}`),
    ])
      expect((await send()).statusCode).toBe(404)
    await expect(portal.give(colleague.accountId, home.organizationId, foreign)).rejects.toThrow('role_of_organization')
  })

  test('a role that somebody has moves to no other organisation, and neither does the one who has it', async () => {
    const other = await portal.organization()
    const roleId = await createRole(rolePermissions, 'Everything')
    const { person } = await holder(roleId)
    const move = (table: string, column: string, id: string) =>
      portal.system.pool.query(`update ${table} set organization_id = $1 where ${column} = $2`, [
        ...[other.organizationId, id],
      ])
    await expect(move('organization_roles', 'role_id', roleId)).rejects.toThrow('role_of_organization')
    await portal.join(person.accountId, other.organizationId)
    await expect(move('all_grants', 'role_id', roleId)).rejects.toThrow('role_of_organization')
    const renamed = await admin.put(`${rolesUrl()}/${roleId}`, { organizationId: other.organizationId })
    expect(renamed.statusCode).toBe(422)
  })

  test('a role in one organisation opens nothing in another of the same person', async () => {
    const other = await portal.organization()
    const { person, browser } = await holder('personnelAdministrator')
    await portal.join(person.accountId, other.organizationId)
    expect((await browser.get(`/api/organizations/${other.organizationId}/users`)).statusCode).toBe(404)
    // Who also belongs there is not theirs to change.
    await portal.join(colleague.accountId, other.organizationId)
    expect((await browser.put('/api/users', { accountId: colleague.accountId, firstName: 'Other' })).statusCode).toBe(
      403,
    )
  })

  test('a built-in role is neither renamed nor removed', async () => {
    for (const key of Object.keys(builtInRoles))
      for (const answer of [
        await root.put(`${rolesUrl()}/${key}`, { name: 'Mine' }),
        await root.delete(`${rolesUrl()}/${key}`),
      ])
        expect(answer.statusCode).toBeGreaterThanOrEqual(400)
    expect((await admin.get(rolesUrl())).json().map(({ role }: { role: string }) => role)).toEqual(
      Object.keys(builtInRoles),
    )
  })
})

describe('somebody stays who may everything', () => {
  test('whatever the role is called: with one, the only admin steps down; then neither the role nor its holder goes', async () => {
    const everything = await createRole(rolePermissions, 'Everything')
    const { person, browser } = await holder(everything)
    expect((await setServices(browser, adminPerson, { userRole: 'regular' })).statusCode).toBe(204)
    const refused = [
      browser.put(`${rolesUrl()}/${everything}`, { permissions: ['giveRoles'] }),
      browser.delete(`${rolesUrl()}/${everything}`),
      give(browser, person),
      give(browser, person, { role: everything, validUntil: '2027-01-01' }),
    ]
    for (const one of refused) expect(refusal(await one)).toEqual([409, 'lastAdminStays'])
    expect(refusal(await browser.delete(ownUrl(person, '').slice(0, -1)))).toEqual([409, 'lastAdmin'])
  })

  test('a role that only sounds like an admin does not count', async () => {
    await holder('auditor')
    expect(refusal(await setServices(admin, adminPerson, { userRole: 'regular' }))).toEqual([409, 'lastAdmin'])
  })
})

describe('the list of people knows roles', () => {
  test('it is filtered by a built-in or an own role, of this organisation alone, and the file names them', async () => {
    const roleId = await createRole(['readPeople'], 'Porter')
    const [porter, both] = [await holder(roleId), await holder('auditor')]
    await portal.give(both.person.accountId, home.organizationId, roleId)
    const other = await portal.organization()
    await portal.join(colleague.accountId, other.organizationId)
    await portal.give(colleague.accountId, other.organizationId, 'auditor')
    const url = `/api/organizations/${home.organizationId}/users`
    const found = async (by: Client, address: string, role: string) =>
      (await by.get(`${address}?role=${role}`)).json().items.map((one: Person) => one.email)
    expect(await found(admin, url, 'auditor')).toEqual([both.person.email])
    expect(await found(admin, url, roleId)).toEqual([porter.person.email, both.person.email].sort())
    expect(await found(admin, url, 'helpDesk')).toEqual([])
    const everywhere = await root.get(`/api/users?role=auditor&organizationId=${other.organizationId}`)
    expect(everywhere.json().items.map((one: Person) => one.email)).toEqual([colleague.email])
    expect((await admin.get(`${url}?role=king`)).statusCode).toBe(422)
    const file = await admin.get(`${url}/export?role=${roleId}`)
    const [header = '', ...lines] = file.body.trim().split('\r\n')
    const place = header.split(';').indexOf('Fler roller')
    const named = lines.map((line) => [line.split(';')[0], line.split(';')[place]?.replaceAll('"', '')])
    expect(named).toEqual(
      [
        [porter.person.email, 'Porter'],
        [both.person.email, 'Revisor | Porter'],
      ].sort(),
    )
    const { rows } = await portal.system.pool.query(
      "select changes from audit_events where name = 'exportUsers' order by id desc limit 1",
    )
    expect(rows[0].changes).toContainEqual({ property: 'role', previousValue: null, newValue: 'Porter' })
  })

  test('an organisation in which nobody has such a role has no such column', async () => {
    const file = await admin.get(`/api/organizations/${home.organizationId}/users/export`)
    expect(file.body).not.toContain('Fler roller')
  })
})
