import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '#test/client.ts'
import { directoryOf } from '#test/directory.ts'
import { listenForLogouts, logoutsOf } from '#test/logouts.ts'
import { outboxOf } from '#test/outbox.ts'
import { servicesOf } from '#test/service.ts'
import { type TestApp, testApp } from '#test/test-app.ts'
import { createScimJob } from './scim-job.ts'

type Directory = Awaited<ReturnType<typeof directoryOf>>

let portal: TestApp
let root: Client
beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '100000/60' })
  root = await portal.signedIn(await portal.person({ superUser: true }))
})
afterAll(() => portal?.close())

const put = ({ call, mailDomain }: Directory, id: string, more: object) =>
  call('PUT', `/Users/${id}`, { userName: `put-${id}@${mailDomain}`, ...more })
const mailsTo = async (address: string) => (await outboxOf(portal).messagesTo(address)).map(({ template }) => template)
const eventsAbout = async (target: string) =>
  (
    await portal.system.pool.query(
      'select name, actor, organization_ids as ids from audit_events where target = $1 order by id',
      [target],
    )
  ).rows
const stored = async (accountId: string) =>
  (await portal.system.pool.query('select * from users where account_id = $1', [accountId])).rows[0]

/** A member with a password, a session here and at a service, whom the directory has taken over. */
async function working(here: Directory, role: 'regular' | 'organizationAdmin' = 'regular') {
  const person = await portal.person({ email: `working-${Math.random().toString(36).slice(2)}@${here.mailDomain}` })
  await portal.join(person.accountId, here.organizationId, role, 'guest')
  const service = await portal.service()
  await portal.offer(here.organizationId, service.serviceId, 1)
  await portal.assign(person.accountId, here.organizationId, service.serviceId, 'serviceAdmin')
  const sent = here.user({ userName: person.email, emails: [{ value: person.email, type: 'work' }] })
  const { id } = (await here.call('POST', '/Users', sent)).json()
  return { person, service, sent, id, browser: await portal.signedIn(person) }
}

describe('somebody who leaves', () => {
  test('loses membership, role, services, sessions and tokens at once, on every node, and gets them back as they were', async () => {
    const here = await directoryOf(portal)
    const { person, service, sent, id, browser } = await working(here, 'organizationAdmin')
    expect(await here.logged()).toMatchObject({ deeds: ['stored', 'linked'] })
    const services = servicesOf(portal)
    const receiver = await listenForLogouts()
    const node = await portal.anotherNode()
    try {
      const role = (
        await root.post('/api/service-roles', { serviceId: service.serviceId, key: 'doctor', nameSv: 'Läkare' })
      ).json()
      const roles = () =>
        portal.system.db
          .selectFrom('serviceRoleAssignments')
          .select(['roleId', 'validUntil'])
          .where('accountId', '=', person.accountId)
          .execute()
      await portal.system.pool.query(
        `insert into all_grants (account_id, organization_id, in_service_id, service_role_id, valid_until)
         values ($1, $2, $3, $4, '2030-01-31')`,
        [person.accountId, here.organizationId, service.serviceId, role.roleId],
      )
      const before = await roles()
      const clientId = await services.register({ serviceId: service.serviceId, backchannelLogoutUri: receiver.url })
      await services.signInTo(clientId, person, browser)
      expect((await here.patch(id, { op: 'Replace', path: 'active', value: 'False' })).statusCode).toBe(200)
      expect((await browser.get('/api/me')).statusCode).toBe(401)
      const elsewhere = node.browser()
      for (const [name, value] of Object.entries(browser.cookies())) elsewhere.setCookie(name, value)
      expect((await elsewhere.get('/api/me')).statusCode).toBe(401)
      await logoutsOf(portal).deliver()
      expect(receiver.tokens).toHaveLength(1)
      expect(await here.accountAt(person.email)).toMatchObject({ role: null, services: [] })
      expect((await stored(person.accountId)).account_id).toBe(person.accountId)
      expect((await here.call('PUT', `/Users/${id}`, { ...sent, active: true })).statusCode).toBe(200)
      expect(await here.accountAt(person.email)).toMatchObject({
        role: 'organizationAdmin',
        services: [service.serviceId],
      })
      expect([before.length, await roles()]).toEqual([1, before])
      const of = { actor: 'Entra (SCIM)', ids: [here.organizationId] }
      expect((await eventsAbout(person.email)).slice(-2)).toEqual([
        { name: 'removeUser', ...of },
        { name: 'restoreUser', ...of },
      ])
    } finally {
      await node.close()
      await receiver.close()
    }
  })

  test('keeps what other organisations gave, and the session', async () => {
    const [here, other] = [await directoryOf(portal), await portal.organization()]
    const { person, id, browser } = await working(here)
    await portal.join(person.accountId, other.organizationId, 'regular', 'joined')
    await here.patch(id, { op: 'replace', value: { active: false } })
    expect((await browser.get('/api/me')).statusCode).toBe(200)
    const { rows } = await portal.system.pool.query(
      'select organization_id as id from memberships where account_id = $1',
      [person.accountId],
    )
    expect(rows).toEqual([{ id: other.organizationId }])
  })

  test('comes back without the service whose last seat somebody else has by now, and the log says so', async () => {
    const here = await directoryOf(portal)
    const { person, service, id } = await working(here)
    await here.patch(id, { op: 'Replace', path: 'active', value: 'False' })
    await portal.assign(here.admin.accountId, here.organizationId, service.serviceId)
    const back = await here.patch(id, { op: 'Replace', path: 'active', value: 'True' })
    expect([back.statusCode, await here.accountAt(person.email)]).toMatchObject([
      200,
      { role: 'regular', services: [] },
    ])
    expect(await here.logged()).toMatchObject({ deeds: ['changed', 'restored', 'noSeat'] })
  })

  test('is forgotten by DELETE: the account stays, and nothing of it can be read any more', async () => {
    const here = await directoryOf(portal)
    const { id, email } = await here.created()
    const { accountId } = await here.accountAt(email)
    expect((await here.call('DELETE', `/Users/${id}`)).statusCode).toBe(204)
    expect((await here.call('GET', `/Users/${id}`)).statusCode).toBe(404)
    expect((await here.call('DELETE', `/Users/${id}`)).statusCode).toBe(404)
    expect(await here.accountAt(email)).toMatchObject({ accountId, role: null })
    // The account exists now: a new person of that name is asked.
    expect((await here.call('POST', '/Users', here.user({ userName: email, emails: undefined }))).statusCode).toBe(201)
    expect(await here.accountAt(email)).toMatchObject({ accountId, role: null })
    expect(await mailsTo(email)).toEqual(['user-invite'])
  })

  test('is out although nobody else administers the organisation; the log says that', async () => {
    const here = await directoryOf(portal)
    const sent = here.user({ userName: here.admin.email, emails: undefined })
    const { id } = (await here.call('POST', '/Users', sent)).json()
    expect((await here.patch(id, { op: 'replace', value: { active: false } })).statusCode).toBe(200)
    expect(await here.accountAt(here.admin.email)).toMatchObject({ role: null })
    const log = (await root.get(`${here.url}/log`)).json()
    expect(log.items[0]).toMatchObject({ deeds: ['changed', 'lastAdmin', 'ended'] })
  })
})

describe('a hostile directory', () => {
  let here: Directory
  let victim: Directory
  beforeAll(async () => {
    here = await directoryOf(portal)
    victim = await directoryOf(portal)
  })

  test('reads, changes and removes nobody of another directory: they are missing', async () => {
    const { id, email } = await victim.created()
    const missing = '01900000-0000-7000-8000-000000000000'
    const attempts = (of: string) =>
      [
        here.call('GET', `/Users/${of}`),
        here.call('PUT', `/Users/${of}`, here.user()),
        here.patch(of, { op: 'replace', value: { active: false } }),
        here.call('DELETE', `/Users/${of}`),
      ] as const
    const answers = await Promise.all([...attempts(id), ...attempts(missing)])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(8).fill(404))
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
    for (const filter of [`id eq "${id}"`, `userName eq "${email}"`, `emails.value eq "${email}"`]) {
      const found = await here.call('GET', `/Users?filter=${encodeURIComponent(filter)}`)
      expect(found.json()).toMatchObject({ totalResults: 0, Resources: [] })
    }
    expect(await victim.accountAt(email)).toMatchObject({ role: 'regular', firstName: 'Åsa' })
  })

  test('adopts nobody by their address: the answer is the same as for a stranger, and they are asked', async () => {
    const { email: member } = await victim.created()
    const owner = await portal.person()
    const operator = await portal.person({ superUser: true })
    const answers = []
    for (const userName of [member, owner.email, operator.email, 'stranger@elsewhere.example']) {
      const answer = await here.call('POST', '/Users', here.user({ userName, emails: undefined }))
      const { id, meta, userName: _, externalId: __, ...rest } = answer.json()
      answers.push({ status: answer.statusCode, rest, version: meta.version })
      expect((await here.logged()).deeds).toEqual(['stored', 'invited'])
      await here.call('PUT', `/Users/${id}`, { userName, name: { givenName: 'Hacked', familyName: 'Hacked' } })
      await here.patch(id, { op: 'Replace', path: 'active', value: 'False' })
      await here.patch(id, { op: 'Replace', path: 'active', value: 'True' })
      await here.call('DELETE', `/Users/${id}`)
      expect(await mailsTo(userName)).toContain('user-invite')
    }
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect(await victim.accountAt(member)).toMatchObject({ role: 'regular', firstName: 'Åsa', emailProof: null })
    for (const { accountId } of [owner, operator])
      expect(await stored(accountId)).toMatchObject({ first_name: 'Test', email_proof: 'mailedLink', passive_at: null })
    expect((await here.accountAt('stranger@elsewhere.example'))?.role).toBeUndefined()
  })

  test('moves nobody to an address that is not covered, or is somebody else’s', async () => {
    const { id, email } = await here.created()
    const { email: taken } = await here.created()
    const { accountId } = await here.accountAt(email)
    for (const to of [`boss@${victim.mailDomain}`, 'ceo@gmail.example', taken]) {
      const answer = await here.patch(id, { op: 'Replace', path: 'emails[type eq "work"].value', value: to })
      expect(answer.statusCode).toBe(200)
      expect(await here.logged()).toMatchObject({ notes: [{ attribute: 'emails', reason: 'addressKept' }] })
      expect(await stored(accountId)).toMatchObject({ email })
    }
  })

  test('renames nobody who belongs to another organisation as well, and no super user', async () => {
    const { person, id, sent } = await working(here)
    await portal.join(person.accountId, victim.organizationId, 'regular', 'joined')
    await here.call('PUT', `/Users/${id}`, { ...sent, name: { givenName: 'Hacked', familyName: 'Hacked' } })
    expect(await stored(person.accountId)).toMatchObject({ first_name: 'Test' })
    expect((await here.logged()).notes).toEqual([{ attribute: 'firstName, lastName', reason: 'notEditable' }])
    const operator = await portal.person({ superUser: true })
    await portal.join(operator.accountId, here.organizationId, 'regular', 'joined')
    const view = (await here.call('POST', '/Users', here.user({ userName: operator.email, emails: undefined }))).json()
    await put(here, view.id, { name: { givenName: 'Hacked', familyName: 'Hacked' } })
    await here.patch(view.id, { op: 'replace', value: { active: false } })
    expect(await stored(operator.accountId)).toMatchObject({ first_name: 'Test', email: operator.email })
    expect(await here.accountAt(operator.email)).toMatchObject({ role: 'regular' })
    await here.call('DELETE', `/Users/${view.id}`)
    expect(await here.accountAt(operator.email)).toMatchObject({ role: 'regular' })
  })
})

describe('somebody from elsewhere', () => {
  test('is invited, becomes a member by accepting, and is the directory’s from then on', async () => {
    const here = await directoryOf(portal)
    const person = await portal.person()
    const { id } = (await here.call('POST', '/Users', here.user({ userName: person.email, emails: undefined }))).json()
    const { rows } = await portal.system.pool.query('select * from invitations where email = $1', [person.email])
    expect(rows).toMatchObject([{ organization_id: here.organizationId, invited_by: null, user_role: 'regular' }])
    // Accepting is tested in the room invitations; with a sign-in of the organisation they could only be a guest.
    await portal.join(person.accountId, here.organizationId, 'regular', 'guest')
    await here.patch(id, { op: 'replace', value: { active: false } })
    expect(await here.accountAt(person.email)).toMatchObject({ role: null })
  })

  test('whose invitation waits is not let in after leaving: the invitation ends', async () => {
    const here = await directoryOf(portal)
    const email = 'leaver@elsewhere.example'
    const { id } = (await here.call('POST', '/Users', here.user({ userName: email, emails: undefined }))).json()
    await here.patch(id, { op: 'Replace', path: 'active', value: 'False' })
    const { rows } = await portal.system.pool.query('select from invitations where email = $1', [email])
    expect(rows).toEqual([])
    expect(await here.logged()).toMatchObject({ deeds: ['changed', 'withdrawn'] })
  })

  test('beyond the invitations of an hour waits; an admin tries again, or the job does', async () => {
    const tight = await testApp({ LIMIT_INVITATION_OF_ORGANIZATION: '1/3600' })
    try {
      const here = await directoryOf(tight)
      const emails = ['first', 'second', 'third'].map((name) => `${name}@elsewhere.example`)
      for (const userName of emails)
        expect((await here.call('POST', '/Users', here.user({ userName, emails: undefined }))).statusCode).toBe(201)
      const invited = async () =>
        (await tight.system.pool.query('select email from invitations order by email')).rows.map(({ email }) => email)
      expect(await invited()).toEqual([emails[0]])
      const { deeds, retry } = await here.logged()
      expect(deeds).toEqual(['stored', 'waits'])
      tight.advance(3600)
      const admin = await tight.signedIn(here.admin)
      expect((await admin.post(`${here.url}/people/${retry}/retry`)).statusCode).toBe(204)
      expect(await invited()).toEqual([emails[0], emails[2]])
      tight.advance(3600)
      await createScimJob(tight.system).run()
      expect(await invited()).toEqual([...emails].sort())
    } finally {
      await tight.close()
    }
  })
})

test('whose invitation waits, and who leaves as the job comes to them, is not invited', async () => {
  const here = await directoryOf(portal)
  const email = `late@elsewhere${here.mailDomain}`
  const { id } = await here.created({ userName: email, emails: undefined, active: false })
  const { pool } = portal.system
  await pool.query('update scim_users set active = true, waits = true where scim_user_id = $1', [id])
  const leaving = await pool.connect()
  try {
    await leaving.query('begin')
    await leaving.query('update scim_users set active = false, waits = false where scim_user_id = $1', [id])
    const job = createScimJob(portal.system).run()
    const waiting =
      'select from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0'
    await expect.poll(async () => (await pool.query(waiting)).rowCount, { timeout: 10_000 }).toBe(1)
    await leaving.query('commit')
    await job
  } finally {
    await leaving.query('rollback')
    leaving.release()
  }
  expect((await pool.query('select from invitations where email = $1', [email])).rows).toEqual([])
})

describe('an organisation admin', () => {
  test('makes two tokens at most, which are shown once, and ends one at once', async () => {
    const here = await directoryOf(portal)
    const second = (await here.browser.post(`${here.url}/tokens`, { name: 'New', days: '90' })).json()
    expect(second.token).toMatch(/^vst_scim_[\w-]{43}$/)
    const third = await here.browser.post(`${here.url}/tokens`, { name: 'Third', days: '90' })
    expect([third.statusCode, third.json().message]).toEqual([409, 'tooManyScimTokens'])
    await here.call('GET', '/Users')
    const state = (await here.browser.get(here.url)).json()
    expect(state).toMatchObject({
      ...{ address: 'http://portal.test/scim/v2', domains: [here.mailDomain], people: 0, active: 0 },
      tokens: [
        { name: 'Entra', lastUsedAt: portal.now().toISOString() },
        { name: 'New', lastUsedAt: null },
      ],
    })
    expect(JSON.stringify(state)).not.toContain('vst_scim')
    const { rows } = await portal.system.pool.query('select * from scim_tokens')
    expect(JSON.stringify(rows)).not.toContain(second.token)
    expect((await here.browser.delete(`${here.url}/tokens/${state.tokens[0].tokenId}`)).statusCode).toBe(204)
    expect((await here.call('GET', '/Users')).statusCode).toBe(401)
  })

  test('is mailed 30, 7 and 1 days before a token ends, once each; afterwards it is worth nothing', async () => {
    const own = await testApp()
    try {
      const here = await directoryOf(own)
      const run = () => createScimJob(own.system).run()
      const mails = async () =>
        (await outboxOf(own).messagesTo(here.admin.email)).filter(({ template }) => template === 'scim-token-ends')
          .length
      const day = 24 * 3600
      const counts = []
      for (const days of [334, 1, 1, 22, 1, 5]) {
        own.advance(days * day)
        await run()
        await run()
        counts.push(await mails())
      }
      expect(counts).toEqual([0, 1, 1, 2, 2, 3])
      own.advance(day)
      expect((await here.call('GET', '/Users')).statusCode).toBe(401)
    } finally {
      await own.close()
    }
  })
})
