import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Client } from '#test/client.ts'
import { invitationsOf, invite, newEmail } from '#test/invitations.ts'
import { outboxOf } from '#test/outbox.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let outbox: ReturnType<typeof outboxOf>
beforeAll(async () => {
  portal = await testApp({ TRUSTED_PROXIES: '127.0.0.1' })
  outbox = outboxOf(portal)
})
afterAll(() => portal.close())
// What one test used up of a limit is long over for the next.
beforeEach(() => portal.advance(2 * 24 * 3600))

const request = (email: string, more: object = {}, client: Client = portal.browser(), ip?: string) =>
  client.post('/api/initiate-password-reset', { email, ...more }, ip ? { 'x-forwarded-for': ip } : {})
const hoursOf = (mail: { values: { expiresAt?: unknown } } | undefined) =>
  (Date.parse(String(mail?.values.expiresAt)) - portal.now().getTime()) / 3600_000
const requestEvents = () =>
  portal.system.db
    .selectFrom('auditEvents')
    .select(['actor', 'target', 'targetId', 'organizationIds'])
    .where('name', '=', 'requestPasswordReset')
    .where('createdAt', '=', portal.now())
    .orderBy('id')
    .execute()

describe('an anonymous user', () => {
  test('gets the same answer for every address', async () => {
    const samlConfigId = await portal.samlConfig()
    const emails = [
      (await portal.person()).email,
      (await portal.person({ loginMethod: 'local2FA' })).email,
      (await portal.person({ loginMethod: 'bankid' })).email,
      (await portal.person({ loginMethod: 'saml', samlConfigId })).email,
      (await portal.person({ pending: true })).email,
      (await portal.person({ passive: true })).email,
      'nobody@unknown.example',
    ]
    const answers = new Set<string>()
    for (const email of emails) {
      const { statusCode, headers, body } = await request(email)
      const { 'x-request-id': _, date: __, ...rest } = headers
      answers.add(JSON.stringify([statusCode, rest, body]))
    }
    expect([...answers]).toHaveLength(1)
    expect([...answers][0]).toMatch(/^\[204,/)
  })

  test('causes a mail with a link that lasts an hour, even if another lifetime was requested', async () => {
    const { email, accountId } = await portal.person({ firstName: 'Nina', preferredLanguage: 'fr' })
    await request(email, { tokenLifeTimeInHours: 100 })
    const [mail] = await outbox.messagesTo(email)
    expect(mail).toMatchObject({ template: 'reset-password', language: 'fr', accountId, state: 'queued' })
    expect(mail?.values).toMatchObject({ firstName: 'Nina', byAdmin: false })
    expect(mail?.values.link).toMatch(/^http:\/\/portal\.test\/reset-password\/[\w-]{43}$/)
    expect(hoursOf(mail)).toBe(1)
    expect(mail?.uselessAfter?.toISOString()).toBe(mail?.values.expiresAt)
  })

  test('who asks again before the first mail was sent gets only the second one: the first link is revoked', async () => {
    const { email } = await portal.person()
    await request(email)
    await request(email)
    expect((await outbox.messagesTo(email)).map(({ state, values }) => [state, typeof values.link])).toEqual([
      ['queued', 'string'],
      ['dropped', 'undefined'],
    ])
  })

  test('is audited, whether or not there is such a person', async () => {
    const { email, accountId } = await portal.person()
    const { organizationId } = await portal.organization()
    await portal.join(accountId, organizationId)
    await request(email)
    await request('nobody@unknown.example')
    expect(await requestEvents()).toEqual([
      { actor: null, target: email, targetId: accountId, organizationIds: [organizationId] },
      { actor: null, target: 'nobody@unknown.example', targetId: null, organizationIds: [] },
    ])
  })

  test('causes the same work for an unknown address, and no mail', async () => {
    const statements = async (email: string) => {
      const count = async () => {
        const { rows } = await portal.system.pool.query(
          `select (select count(*) from one_time_things where purpose = 'passwordReset') as tokens,
            (select count(*) from outbox_messages) as messages, (select count(*) from pgboss.job) as jobs,
            (select count(*) from audit_events) as events`,
        )
        return Object.values(rows[0] as Record<string, string>).map(Number)
      }
      const before = await count()
      await request(email)
      return (await count()).map((after, index) => after - (before[index] ?? 0))
    }
    const known = await statements((await portal.person()).email)
    expect(known).toEqual([1, 1, 1, 1])
    expect(await statements('somebody@unknown.example')).toEqual(known)
    const [unsent] = await outbox.messagesTo('somebody@unknown.example')
    const nobody = { send: () => Promise.reject(new Error('nothing is to be sent')) }
    expect(await outbox.deliver(unsent?.id ?? '', nobody)).toBe(true)
    expect((await outbox.messagesTo('somebody@unknown.example'))[0]?.state).toBe('dropped')
  })

  test.each([
    ['bankid', { loginMethod: 'bankid' }],
    ['saml', { loginMethod: 'saml' }],
  ] as const)(
    'gives no password to a person who signs in with %s: the mail explains how to sign in',
    async (loginMethod, more) => {
      const samlConfigId = loginMethod === 'saml' ? await portal.samlConfig() : null
      const { email, accountId } = await portal.person({ ...more, samlConfigId })
      await request(email)
      const [mail] = await outbox.messagesTo(email)
      expect(mail).toMatchObject({ template: 'no-password', values: { loginMethod } })
      expect(await tokensOf(accountId)).toBe(0)
    },
  )

  test('gives a passive person the reason, and no password', async () => {
    const { email, accountId } = await portal.person({ passive: true })
    await request(email)
    expect((await outbox.messagesTo(email))[0]?.template).toBe('refused-passive')
    expect(await tokensOf(accountId)).toBe(0)
  })

  test('gives a person who has not accepted the invitation yet its link again, and no password', async () => {
    const invites = invitationsOf(portal)
    const { browser, organizationId, name } = await invites.organizationWithAdmin()
    const email = newEmail()
    await invite(browser, organizationId, email)
    const token = await invites.mailedToken(email)
    await request(email)
    const [mail] = await outbox.messagesTo(email)
    const expiresAt = new Date(portal.now().getTime() + 7 * 24 * 3600_000).toISOString()
    expect(mail).toMatchObject({ template: 'pending-reminder', values: { organizationName: name } })
    expect(mail?.values.invitation).toEqual({ link: `http://portal.test/accept-invitation/${token}`, expiresAt })
    expect(mail?.uselessAfter?.toISOString()).toBe(expiresAt)
    expect(await tokensOf(String(mail?.accountId))).toBe(0)
    expect((await invites.accept(email, token)).statusCode).toBe(204)
  })

  test('tells a person with an expired invitation to ask for another', async () => {
    const invites = invitationsOf(portal)
    const { browser, organizationId, name } = await invites.organizationWithAdmin()
    const email = newEmail()
    await invite(browser, organizationId, email)
    portal.advance(7 * 24 * 3600)
    await request(email)
    const [mail] = await outbox.messagesTo(email)
    expect(mail).toMatchObject({
      template: 'pending-reminder',
      values: { organizationName: name, invitation: null },
    })
    expect(mail?.uselessAfter).toBeNull()
  })

  test('tells a person who has accepted but not signed in yet how to sign in', async () => {
    const invites = invitationsOf(portal)
    const { browser, organizationId } = await invites.organizationWithAdmin('bankid')
    const email = newEmail()
    await invite(browser, organizationId, email)
    await invites.acceptWithSsn(email, await invites.mailedToken(email), 'bankid', '201701102384')
    await request(email)
    const [mail] = await outbox.messagesTo(email)
    expect(mail).toMatchObject({ template: 'no-password', values: { loginMethod: 'bankid' } })
  })

  test('is refused the fourth for an account in an hour without a word, and the eleventh from an address aloud', async () => {
    const { email } = await portal.person()
    for (let count = 1; count <= 4; count++)
      expect((await request(email, {}, portal.browser(), `198.51.100.${count}`)).statusCode).toBe(204)
    expect(await outbox.messagesTo(email)).toHaveLength(3)
    for (let count = 1; count <= 10; count++)
      await request(`person${count}@unknown.example`, {}, portal.browser(), '203.0.113.1')
    const refused = await request('person11@unknown.example', {}, portal.browser(), '203.0.113.1')
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '3600'])
  })

  test('gets an error for an invalid address, but never for an unknown one', async () => {
    expect((await request('no address')).statusCode).toBe(422)
    expect((await request('')).json().issues).toContainEqual({ path: 'email', message: 'required' })
  })
})

const tokensOf = async (accountId: string) =>
  (
    await portal.system.db
      .selectFrom('oneTimeThings')
      .select('subject')
      .where('purpose', '=', 'passwordReset')
      .where('subject', '=', accountId)
      .execute()
  ).length

describe('an admin', () => {
  async function adminOf(more: Parameters<TestApp['person']>[0] = {}) {
    const { organizationId } = await portal.organization()
    const admin = await portal.person()
    await portal.join(admin.accountId, organizationId, 'organizationAdmin')
    const person = await portal.person(more)
    await portal.join(person.accountId, organizationId)
    return { ...person, organizationId, admin, browser: await portal.signedIn(admin) }
  }

  test('chooses how long the link lives: ten hours without a choice, a week at most', async () => {
    const { email, browser, admin, accountId, organizationId } = await adminOf({ loginMethod: 'local2FA' })
    expect((await request(email, {}, browser)).statusCode).toBe(204)
    const [mail] = await outbox.messagesTo(email)
    expect([mail?.template, mail?.values.byAdmin, hoursOf(mail)]).toEqual(['reset-password', true, 10])
    expect(await requestEvents()).toEqual([
      { actor: admin.email, target: email, targetId: accountId, organizationIds: [organizationId] },
    ])
    await request(email, { tokenLifeTimeInHours: 168 }, browser)
    expect(hoursOf((await outbox.messagesTo(email))[0])).toBe(168)
    for (const tokenLifeTimeInHours of [0, 169, 1.5, '10'])
      expect((await request(email, { tokenLifeTimeInHours }, browser)).statusCode).toBe(422)
  })

  test('who is a super user may for every user', async () => {
    const { email } = await portal.person()
    const browser = await portal.signedIn(await portal.person({ superUser: true }))
    await request(email, { tokenLifeTimeInHours: 24 }, browser)
    expect(hoursOf((await outbox.messagesTo(email))[0])).toBe(24)
  })

  test('hears that a person has no password, or has not accepted yet', async () => {
    const byBankId = await adminOf({ loginMethod: 'bankid' })
    const refused = await request(byBankId.email, {}, byBankId.browser)
    expect([refused.statusCode, refused.json().message]).toEqual([409, 'passwordNotForMethod'])
    const pending = await adminOf({ pending: true })
    const early = await request(pending.email, {}, pending.browser)
    expect([early.statusCode, early.json().message]).toEqual([409, 'userPending'])
  })

  test('of another organisation has no special rights: one hour, no hint whether the user exists, and no event in their own log', async () => {
    const { browser, organizationId } = await adminOf()
    const { email, accountId } = await portal.person()
    const other = await portal.organization()
    await portal.join(accountId, other.organizationId)
    const bankid = await portal.person({ loginMethod: 'bankid' })
    for (const address of [email, bankid.email, 'nobody@unknown.example'])
      expect((await request(address, { tokenLifeTimeInHours: 100 }, browser)).statusCode).toBe(204)
    const [mail] = await outbox.messagesTo(email)
    expect([mail?.values.byAdmin, hoursOf(mail)]).toEqual([false, 1])
    expect((await requestEvents()).map(({ targetId, organizationIds }) => [targetId, organizationIds])).toEqual(
      Array(3).fill([null, [organizationId]]),
    )
  })

  test('cannot flood a mailbox', async () => {
    const { email, browser } = await adminOf()
    for (let count = 1; count <= 3; count++) expect((await request(email, {}, browser)).statusCode).toBe(204)
    expect((await request(email, {}, browser)).statusCode).toBe(429)
  })
})
