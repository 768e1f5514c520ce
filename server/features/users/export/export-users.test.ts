import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#server/platform/ids.ts'
import type { Client } from '#test/client.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let root: Client
let admin: Client
let home: { organizationId: string; name: string }
let journal: { serviceId: string; name: string }

beforeAll(async () => {
  portal = await testApp()
  root = await portal.signedIn(
    await portal.person({ email: 'root@export.example', superUser: true, preferredLanguage: 'en' }),
  )
  home = await portal.organization('Åsgård: AB')
  journal = await portal.service('Journal')
  await portal.offer(home.organizationId, journal.serviceId)
  const boss = await portal.person({ email: 'boss@export.example', preferredLanguage: 'sv' })
  await portal.join(boss.accountId, home.organizationId, 'organizationAdmin')
  const member = await portal.person({
    email: 'member@export.example',
    firstName: '=HYPERLINK("http://evil.example")',
    lastName: 'Ek; Ask',
    phoneNumber: '+46701740605',
    loginMethod: 'bankid',
    ssn: '198501011234',
  })
  await portal.join(member.accountId, home.organizationId)
  await portal.assign(member.accountId, home.organizationId, journal.serviceId)
  const shared = await portal.person({ email: 'shared@export.example', phoneNumber: '+46701740606' })
  await portal.join(shared.accountId, home.organizationId)
  const other = await portal.organization('Grannen')
  await portal.join(shared.accountId, other.organizationId)
  await portal.system.db
    .insertInto('invitations')
    .values({
      invitationId: newId(),
      organizationId: home.organizationId,
      email: 'waiting@export.example',
      expiresAt: new Date('2026-04-01'),
    })
    .execute()
  admin = await portal.signedIn(boss)
})
afterAll(() => portal?.close())

const exportOf = async (client: Client, url: string, query: Record<string, string> = {}) => {
  const response = await client.get(`${url}?${new URLSearchParams(query)}`)
  expect(response.statusCode, response.body).toBe(200)
  const [header = '', ...lines] = response.body.replace(/\r\n$/, '').split('\r\n')
  return { header, lines, headers: response.headers, emails: lines.map((line) => line.split(';')[0]) }
}
const ours = () => `/api/organizations/${home.organizationId}/users/export`
const exports = () =>
  portal.system.db.selectFrom('auditEvents').selectAll().where('name', '=', 'exportUsers').orderBy('id').execute()

describe('an admin exports the list of the organisation', () => {
  test('as a file that spreadsheets read and do not calculate, in the own language', async () => {
    const { header, lines, headers } = await exportOf(admin, ours())
    expect(headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(headers['content-disposition']).toBe(
      `attachment; filename="export.csv"; filename*=UTF-8''${encodeURIComponent('Användare Åsgård- AB 2026-03-02.csv')}`,
    )
    expect(header).toBe(
      '\uFEFFE-postadress;Förnamn;Efternamn;Tjänster;Roll;Status;Inloggningsmetod;Telefonnummer;Organisationer;Sista dag;Senast aktiv',
    )
    expect(lines).toEqual([
      expect.stringMatching(
        /^boss@export\.example;Test;.*;;Administratör;Aktiv;Lösenord;;Åsgård: AB;;2026-03-02 09:00$/,
      ),
      `member@export.example;"'=HYPERLINK(""http://evil.example"")";"Ek; Ask";Journal;Användare;Aktiv;BankID;'+46701740605;Åsgård: AB;;2026-03-02 09:00`,
      // What the list hides of a person of another organisation, the file hides too.
      expect.stringMatching(/^shared@export\.example;Test;.*;;Användare;Aktiv;;;Åsgård: AB;;$/),
      'waiting@export.example;;;;Användare;Inbjuden;Lösenord;;Åsgård: AB;;',
    ])
  })

  test('with the roles of services as an import reads them, of people and invitations, and of this organisation alone', async () => {
    const [clinic, elsewhere] = [await portal.organization(), await portal.organization()]
    const { serviceId, name } = await portal.service()
    const doctor = await portal.person({ email: 'doctor@clinic.example' })
    const roles: string[] = []
    for (const key of ['doctor', 'secretary', 'cook'])
      roles.push((await root.post('/api/service-roles', { serviceId, key, nameSv: key })).json().roleId)
    for (const { organizationId } of [clinic, elsewhere]) {
      await portal.offer(organizationId, serviceId)
      await portal.join(doctor.accountId, organizationId)
      await portal.assign(doctor.accountId, organizationId, serviceId)
    }
    const give = (organizationId: string, roleIds: (string | undefined)[], userId = doctor.accountId) =>
      root.post(`/api/users/${userId}/organization/${organizationId}/service/${serviceId}/roles`, { roleIds })
    await give(clinic.organizationId, roles.slice(0, 2))
    await give(elsewhere.organizationId, roles.slice(2))
    const row = { email: 'new@clinic.example', services: [`${name} [secretary]`] }
    const invited = await root.post('/api/invites/bulk', { organizationId: clinic.organizationId, rows: [row] })
    expect(invited.statusCode, invited.body).toBe(200)
    const servicesOf = (lines: string[]) => lines.map((line) => line.split(';')[3]?.replaceAll(/^"|"$/g, ''))
    const { lines } = await exportOf(root, `/api/organizations/${clinic.organizationId}/users/export`)
    expect(servicesOf(lines)).toEqual([`${name} [doctor, secretary]`, `${name} [secretary]`])
    const all = await exportOf(root, '/api/users/export', { searchQuery: 'doctor@clinic.example' })
    expect(servicesOf(all.lines)).toEqual([`${name} [cook, doctor, secretary]`])
  })

  test('without personal numbers', async () => {
    for (const [client, url] of [
      [admin, ours()],
      [root, '/api/users/export'],
    ] as const)
      expect((await client.get(url)).body).not.toMatch(/19850101/)
  })

  test('filtered, searched and sorted as it is shown', async () => {
    expect((await exportOf(admin, ours(), { status: 'pending' })).emails).toEqual(['waiting@export.example'])
    expect((await exportOf(admin, ours(), { searchQuery: 'ask' })).emails).toEqual(['member@export.example'])
    expect((await exportOf(admin, ours(), { sortDirection: 'desc' })).emails[0]).toBe('waiting@export.example')
    expect((await exportOf(admin, ours(), { status: 'pending', lastActiveBefore: '2026-01-01' })).lines).toEqual([])
    expect((await admin.get(`${ours()}?page=2`)).statusCode).toBe(422)
  })

  test('and leaves an event that says what left the portal', async () => {
    const before = (await exports()).length
    await exportOf(admin, ours(), { status: 'active', serviceId: journal.serviceId })
    const events = (await exports()).slice(before)
    expect(events).toMatchObject([{ actor: 'boss@export.example', target: home.name }])
    expect(events[0]?.organizationIds).toContain(home.organizationId)
    expect(events[0]?.changes).toEqual([
      { property: 'status', previousValue: null, newValue: 'active' },
      { property: 'service', previousValue: null, newValue: 'Journal' },
    ])
  })

  test('whose event does not tell what a service is called that the organisation does not have', async () => {
    const { serviceId } = await portal.service('Grannens tjänst')
    const named = async (client: Client, url: string, query: Record<string, string>) => {
      await exportOf(client, url, { serviceId, ...query })
      return (await exports()).at(-1)?.changes
    }
    const asGiven = [{ property: 'service', previousValue: null, newValue: serviceId }]
    expect(await named(admin, ours(), {})).toEqual(asGiven)
    // The organisation's admins read this event too.
    expect(await named(root, '/api/users/export', { organizationId: home.organizationId })).toEqual(asGiven)
    expect(await named(root, '/api/users/export', {})).toMatchObject([{ newValue: 'Grannens tjänst' }])
  })
})

test('a super user exports everybody, a long list in parts that repeat and skip no one', async () => {
  await sql`
    insert into users (account_id, email, first_name, last_name, login_method)
    select gen_random_uuid(), 'long' || n || '@export.example', 'Lång', 'Lista', 'local'
    from generate_series(1, 1700) as n`.execute(portal.system.db)
  for (const query of [
    { sort: 'lastName' },
    { sort: 'lastName', sortDirection: 'desc' },
    { sort: 'firstName', status: 'active' },
    { searchQuery: 'lång lista' },
  ]) {
    const { emails } = await exportOf(root, '/api/users/export', query)
    const long = emails.filter((email) => email?.startsWith('long'))
    expect([long.length, new Set(long).size], JSON.stringify(query)).toEqual([1700, 1700])
    const { totalCount } = (await root.get(`/api/users?${new URLSearchParams(query)}`)).json()
    expect(emails).toHaveLength(totalCount)
  }
  expect((await exports()).at(-1)).toMatchObject({ actor: 'root@export.example', target: null })
})

test('nobody without the right to the list gets it, and then there is no event', async () => {
  const before = (await exports()).length
  const stranger = await portal.person()
  const away = await portal.organization()
  await portal.join(stranger.accountId, away.organizationId, 'organizationAdmin')
  const client = await portal.signedIn(stranger)
  expect((await client.get(ours())).statusCode).toBe(404)
  expect((await client.get('/api/users/export')).statusCode).toBe(403)
  expect((await root.get(`/api/organizations/${newId()}/users/export`)).statusCode).toBe(404)
  expect(await exports()).toHaveLength(before)
})
