import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { isBuiltIn } from '#contract/organization-roles/role-permissions.ts'
import { portalRole } from '#contract/portal-roles.ts'
import { setAccessDay } from '#test/access-day.ts'
import { type Client, outcome } from '#test/client.ts'
import { directoryOf } from '#test/directory.ts'
import { invitationsOf, invite, newEmail } from '#test/invitations.ts'
import type { Person } from '#test/people.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

// The operator's own people who read everything and change nothing (product-rules 5.15). That they change nothing by any call:
// test/access.test.ts.

let portal: TestApp
let root: Client
let home: { organizationId: string; name: string }
let boss: Person
let admin: Client
let auditor: Person
beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '1000000/60', LIMIT_AUTH_TYPE: '100000/60' })
})
afterAll(() => portal?.close())
beforeEach(async () => {
  await setAccessDay(portal, '2026-12-01')
  root = await portal.signedIn(await portal.person({ superUser: true }))
  home = await portal.organization()
  boss = await portal.person()
  await portal.join(boss.accountId, home.organizationId, 'organizationAdmin')
  admin = await portal.signedIn(boss)
  auditor = await portal.person({ portalRole: 'auditor', phoneNumber: '+46701740605', ssn: '195006262546' })
  await portal.join(auditor.accountId, home.organizationId)
})

type Answer = Awaited<ReturnType<Client['get']>>
const change = (by: Client, { accountId }: Pick<Person, 'accountId'>, input: object) =>
  by.put('/api/users', { accountId, ...input })
const detail = async (by: Client, { accountId }: Pick<Person, 'accountId'>) =>
  (await by.get(`/api/users/${accountId}/organization/-/service/-`)).json()
const stored = async ({ accountId }: Pick<Person, 'accountId'>) =>
  (
    await portal.system.pool.query(
      `select g.role, g.valid_until::text as until, phone_number as phone, version
       from users u left join all_grants g on g.account_id = u.account_id and g.scope = 'portal' where u.account_id = $1`,
      [accountId],
    )
  ).rows[0]
const mailsTo = (person: Person) => invitationsOf(portal).mailsTo(person.email)

describe('a role in the portal', () => {
  test('is given and taken by a super user, who is asked for a fresh proof, with an event and a mail', async () => {
    const person = await portal.person()
    const stale = await portal.signedIn(await portal.person({ superUser: true }))
    portal.advance(900)
    expect(outcome(await change(stale, person, { portalRole: 'auditor' }))).toEqual([403, 'freshProofRequired'])
    const fresh = await portal.signedIn(await portal.person({ superUser: true }))
    expect(outcome(await change(fresh, person, { portalRole: 'auditor', portalRoleUntil: '2026-12-31' }))).toBe(200)
    expect(await mailsTo(person)).toMatchObject([
      { template: 'contact-changed', values: { changed: ['portalRole'], byAdmin: true } },
    ])
    expect(await invitationsOf(portal).eventsOf(person.email)).toMatchObject([
      { name: 'updateUser', changes: expect.arrayContaining([expect.objectContaining({ newValue: 'auditor' })]) },
    ])
    const browser = await portal.signedIn(person)
    expect(outcome(await browser.get('/api/users'))).toBe(200)
    // For longer is more, too.
    expect(outcome(await change(stale, person, { portalRoleUntil: null }))).toEqual([403, 'freshProofRequired'])
    expect(outcome(await change(fresh, person, { portalRole: null }))).toBe(200)
    expect(outcome(await browser.get('/api/users'))).toEqual([403, 'forbidden'])
    expect(await stored(person)).toMatchObject({ role: null, until: null })
  })

  test('is nobody else’s to give: not the holder’s, not an admin’s, by no call', async () => {
    const own = await portal.signedIn(auditor)
    const member = await portal.person()
    await portal.join(member.accountId, home.organizationId)
    const { organizationId } = home
    const email = newEmail()
    const input = { portalRole: 'reader' }
    const tries: Record<string, Promise<Answer>> = {
      'the holder widens it': change(own, auditor, input),
      'the holder lengthens it': change(own, auditor, { portalRoleUntil: '2030-01-01' }),
      'the holder’s own page': own.put('/api/profile', input),
      'the holder gives it': change(own, member, input),
      'an admin gives it': change(admin, member, input),
      'an admin takes it': change(admin, auditor, { portalRole: null }),
      'a new user of an admin': admin.post('/api/users', { email, firstName: 'A', lastName: 'B', ...input }),
      'an invitation': invite(admin, organizationId, email, input),
      'an import': admin.post('/api/invites/bulk', { organizationId, rows: [{ email, ...input }] }),
      'a membership': admin.post(`/api/users/${member.accountId}/organization/${organizationId}/service`, {
        services: [],
        ...input,
      }),
      'a role of the organisation': admin.post(`/api/users/${member.accountId}/organization/${organizationId}/roles`, {
        roles: [{ role: 'portalAuditor' }],
      }),
    }
    for (const [name, sent] of Object.entries(tries)) expect((await sent).statusCode, name).toBeGreaterThanOrEqual(400)
    expect(await stored(auditor)).toMatchObject({ role: 'auditor', until: null })
    expect(await stored(member)).toMatchObject({ role: null })
  })

  test('is not given to an account that nobody has proven, unless the operator vouches for it', async () => {
    const person = await portal.person({ emailProof: null })
    expect(outcome(await change(root, person, { portalRole: 'auditor' }))).toEqual([409, 'addressNotProven'])
    const how = { firstName: 'A', lastName: 'B', loginMethod: 'bankid', ssn: '195006262546' }
    const created = await root.post('/api/users', { email: newEmail(), ...how, portalRole: 'auditor' })
    expect(outcome(created)).toEqual([409, 'addressNotProven'])
    const refused = portal.system.pool.query(`insert into all_grants (account_id, role_key) values ($1, 'auditor')`, [
      person.accountId,
    ])
    await expect(refused).rejects.toThrow(/user_operates_is_proven/)
    const reason = { unprovenReason: 'Sits beside me' }
    expect(outcome(await change(root, person, { portalRole: 'auditor', ...reason }))).toBe(200)
  })

  test('is not beside super user, and not for who signs in at a company', async () => {
    expect(outcome(await change(root, auditor, { superUser: true }))).toEqual([409, 'superUserHasAll'])
    const samlConfigId = await portal.samlConfig()
    const moved = await change(root, auditor, { loginMethod: 'saml', samlConfigId })
    expect(outcome(moved)).toEqual([409, 'superUserNotSaml'])
    expect(
      outcome(await change(root, auditor, { portalRoleFrom: '2026-12-02', portalRoleUntil: '2026-12-01' })),
    ).toEqual([422, 'validationFailed'])
  })

  test('holds from its first to its last day, on every node, in the session that is open', async () => {
    const days = { portalRoleFrom: '2026-12-10', portalRoleUntil: '2026-12-20' }
    expect(outcome(await change(root, auditor, days))).toBe(200)
    const here = await portal.signedIn(auditor)
    const node = await portal.anotherNode()
    try {
      const there = node.browser()
      for (const [name, value] of Object.entries(here.cookies())) there.setCookie(name, value)
      const seen = async () => [
        (await here.get('/api/users')).statusCode,
        (await there.get('/api/audit-events')).statusCode,
        (await there.get('/api/organizations')).statusCode,
      ]
      const none = [403, 403, 403]
      expect(await seen()).toEqual(none)
      await setAccessDay(portal, '2026-12-10')
      expect(await seen()).toEqual([200, 200, 200])
      await setAccessDay(portal, '2026-12-21')
      expect(await seen()).toEqual(none)
      await setAccessDay(portal, '2026-12-20')
      expect(await seen()).toEqual([200, 200, 200])
      expect(outcome(await change(root, auditor, { portalRole: null }))).toBe(200)
      expect(await seen()).toEqual(none)
    } finally {
      await node.close()
    }
  })

  test('allows the same in the database as in the contract', async () => {
    expect(portalRole.options.every(isBuiltIn)).toBe(true)
    for (const role of portalRole.options) await portal.person({ portalRole: role })
    await expect(portal.person({ portalRole: 'helpDesk' as never })).rejects.toThrow(/portal_role/)
  })
})

describe('the admin of the holder’s organisation', () => {
  test('does not reach the account: no number, no factor, no day of its own, also before the role begins and after it ends', async () => {
    const hidden = { phoneNumber: null, loginMethod: null, lastActive: null, ssn: null, editable: false }
    for (const days of [
      {},
      { portalRoleFrom: '2027-01-01', portalRoleUntil: null },
      { portalRoleFrom: null, portalRoleUntil: '2026-11-01' },
    ]) {
      expect(outcome(await change(root, auditor, days))).toBe(200)
      const before = await stored(auditor)
      const { accountId } = auditor
      expect(await detail(admin, auditor)).toMatchObject({ ...hidden, portalRole: null, portalRoleUntil: null })
      const calls = [
        await change(admin, auditor, { phoneNumber: '+46701740606' }),
        await change(admin, auditor, { firstName: 'Other' }),
        await admin.post(`/api/users/${accountId}/recovery`, { reason: 'Lost' }),
        await admin.post(`/api/users/${accountId}/last-active/2020-01-01T00:00:00.000Z`, {}),
        await admin.post(`/api/users/${accountId}/ssn/reveal`, {}),
        await admin.delete(`/api/users/${accountId}`),
      ]
      for (const answer of calls) expect(answer.statusCode).toBeGreaterThanOrEqual(400)
      expect(await stored(auditor)).toEqual(before)
    }
  })

  test('cannot replace an account that the operator vouches for, by the link of an invitation', async () => {
    const vouched = await portal.person({ portalRole: 'auditor', emailProof: 'operator', email: newEmail() })
    await invite(admin, home.organizationId, vouched.email)
    const token = await invitationsOf(portal).mailedToken(vouched.email)
    const accepted = await invitationsOf(portal).accept(vouched.email, token)
    expect(outcome(accepted)).toEqual([409, 'signInToAccept'])
    expect(await stored(vouched)).toMatchObject({ role: 'auditor' })
  })

  test('sees neither that somebody has it nor what they do, in lists, details and the log', async () => {
    expect(outcome(await change(root, auditor, { portalRoleUntil: '2026-12-03' }))).toBe(200)
    const reading = await portal.signedIn(auditor)
    await reading.get(`/api/organizations/${home.organizationId}/users/export`)
    const outsider = await portal.person({ portalRole: 'reader', email: 'unseen@operations.example' })
    const unseen = await portal.signedIn(outsider)
    expect(outcome(await unseen.get(`/api/organizations/${home.organizationId}/users/export`))).toBe(200)
    expect(outcome(await admin.get(`/api/organizations/${home.organizationId}/users/export`))).toBe(200)
    const list = await admin.get(`/api/organizations/${home.organizationId}/users`)
    const log = await admin.get('/api/audit-events')
    const exports = log.json().items.filter(({ name }: { name: string }) => name === 'exportUsers')
    expect(exports).toMatchObject([{ actor: boss.email }])
    const texts = [list.body, log.body, JSON.stringify(await detail(admin, auditor))]
    for (const { id } of log.json().items) texts.push((await admin.get(`/api/audit-events/${id}`)).body)
    for (const text of texts) {
      expect(text).not.toMatch(/"portalRole":"|"property":"portalRole|2026-12-03|unseen@operations/)
      expect(text).not.toContain(outsider.accountId)
    }
  })

  test('does not reach it by a directory or the company’s own sign-in', async () => {
    const directory = await directoryOf(portal)
    const person = await portal.person({ portalRole: 'auditor', email: `reads@${directory.mailDomain}` })
    await portal.join(person.accountId, directory.organizationId)
    const sent = directory.user({ userName: person.email, emails: [{ value: person.email, primary: true }] })
    const { id } = (await directory.call('POST', '/Users', sent)).json()
    const names = { name: { givenName: 'Taken', familyName: 'Over' } }
    await directory.call('PUT', `/Users/${id}`, { ...sent, ...names, id, active: false })
    expect(await detail(root, person)).toMatchObject({
      firstName: 'Test',
      portalRole: 'auditor',
      organizations: [{ organizationId: directory.organizationId }],
    })
  })
})

describe('an auditor of the portal', () => {
  const marks = /\+4670174060[0-9]|19500626/
  test('reads people of all organisations, of none and of the operator, without their details', async () => {
    const far = await portal.organization()
    const details = { phoneNumber: '+46701740606', ssn: '195006262546', lastName: 'Sökbar' }
    const theirs = await portal.person(details)
    await portal.join(theirs.accountId, far.organizationId)
    const ofNone = await portal.person(details)
    const operator = await portal.person({ ...details, superUser: true })
    const reading = await portal.signedIn(auditor)
    const list = await reading.get('/api/users?searchQuery=S%C3%B6kbar')
    expect(list.json().items).toHaveLength(3)
    const texts = [list.body, (await reading.get('/api/users/export?searchQuery=S%C3%B6kbar')).body]
    for (const person of [theirs, ofNone, operator]) {
      const { statusCode, body } = await reading.get(`/api/users/${person.accountId}/organization/-/service/-`)
      expect(statusCode).toBe(200)
      texts.push(body)
      expect(JSON.parse(body)).toMatchObject({ loginMethod: null, lastActive: null, ssn: null, editable: false })
    }
    expect(await detail(reading, operator)).toMatchObject({ superUser: true })
    expect(await detail(reading, theirs)).toMatchObject({ organizations: [{ organizationId: far.organizationId }] })
    for (const text of texts) expect(text).not.toMatch(marks)
    // Nor do filters tell them.
    for (const filter of ['loginMethod=local', 'lastActiveBefore=2030-01-01'])
      expect((await reading.get(`/api/users?searchQuery=S%C3%B6kbar&${filter}`)).json().totalCount).toBe(0)
    // A reader of the portal has the details, and a number only masked.
    const all = await portal.signedIn(await portal.person({ portalRole: 'reader' }))
    expect(await detail(all, ofNone)).toMatchObject({ phoneNumber: '+46701740606', ssn: '19500626-****' })
    expect(outcome(await all.post(`/api/users/${ofNone.accountId}/ssn/reveal`, {}))).toEqual([403, 'forbidden'])
    expect((await all.get('/api/users?searchQuery=S%C3%B6kbar&loginMethod=local')).json().totalCount).toBe(3)
  })

  test('reads the log of all organisations and who did it, without details of people', async () => {
    const far = await portal.organization()
    const member = await portal.person()
    await portal.join(member.accountId, far.organizationId)
    await change(root, member, { phoneNumber: '+46701740607', lastName: 'Nylund' })
    const reading = await portal.signedIn(auditor)
    const found = (await reading.get(`/api/audit-events?targetIdFilter=${member.accountId}`)).json().items
    expect(found).toMatchObject([{ name: 'updateUser', target: member.email, actor: expect.any(String) }])
    const { changes } = (await reading.get(`/api/audit-events/${found[0].id}`)).json()
    expect(changes.map(({ property }: { property: string }) => property)).toEqual(['lastName'])
    for (const file of ['export', 'export-lines']) {
      const { statusCode, body } = await reading.get(`/api/audit-events/${file}?targetIdFilter=${member.accountId}`)
      expect(statusCode).toBe(200)
      expect(body).toContain('Nylund')
      expect(body).not.toContain('+46701740607')
    }
  })

  test('reads the reviews of all organisations, and is offered nothing to decide', async () => {
    const { serviceId } = await portal.service()
    await portal.offer(home.organizationId, serviceId)
    await portal.assign(auditor.accountId, home.organizationId, serviceId)
    const url = `/api/organizations/${home.organizationId}/access-review`
    expect(outcome(await admin.post(url, {}))).toBe(204)
    const reading = await portal.signedIn(await portal.person({ portalRole: 'auditor' }))
    const open = (await reading.get('/api/access-reviews')).json().items
    expect(open.map((one: { organizationId: string }) => one.organizationId)).toContain(home.organizationId)
    expect((await reading.get(url)).json()).toMatchObject({ totalCount: 1, whole: false, decides: false })
    expect((await admin.get(url)).json()).toMatchObject({ whole: true, decides: true })
    expect(outcome(await reading.get(`${url}/report`))).toBe(200)
  })

  test('is found by a super user, by role and by what ends', async () => {
    await change(root, auditor, { portalRoleUntil: '2026-12-05' })
    const found = async (filter: string): Promise<string[]> =>
      (await root.get(`/api/users?${filter}&searchQuery=${auditor.email}`))
        .json()
        .items.map((one: { portalRole: string; endsOn: string }) => `${one.portalRole} ${one.endsOn}`)
    for (const filter of ['role=portalAuditor', 'status=accessEnds'])
      expect(await found(filter)).toEqual(['auditor 2026-12-05'])
    expect(await found('role=portalReader')).toEqual([])
  })
})
