import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { invitationsOf, invite, invitePath, newEmail, tokenIn } from '#test/invitations.ts'
import { testPassword } from '#test/people.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let invites: ReturnType<typeof invitationsOf>
beforeAll(async () => {
  portal = await testApp({ LIMIT_TOKEN_LOOKUP: '1000/600' })
  invites = invitationsOf(portal)
})
afterAll(() => portal?.close())

const week = 7 * 24 * 3600

describe('an organisation admin who invites', () => {
  test('a new person creates an invitation, a mail and one event, and no account', async () => {
    const { browser, organizationId, name, admin } = await invites.organizationWithAdmin('local2FA')
    const email = newEmail()
    const response = await invite(browser, organizationId, ` ${email.toUpperCase()} `, { message: 'Välkommen!' })
    expect([response.statusCode, response.json()]).toEqual([201, { email, organizationId }])
    expect(await invites.userOf(email)).toBeUndefined()
    const [mail, ...others] = await invites.mailsTo(email)
    expect(others).toEqual([])
    expect(mail).toMatchObject({
      template: 'user-invite',
      values: {
        organizationName: name,
        inviterName: 'Ada Admin',
        message: 'Välkommen!',
        link: expect.stringMatching(/^http:\/\/portal\.test\/accept-invitation\//),
        expiresAt: new Date(portal.now().getTime() + week * 1000).toISOString(),
      },
    })
    expect(await invites.eventsOf(email)).toEqual([
      expect.objectContaining({ name: 'inviteUser', actor: admin.email, organizationIds: [organizationId] }),
    ])
  })

  test('a person with an account creates the same, and no membership', async () => {
    const { browser, organizationId, name } = await invites.organizationWithAdmin()
    const colleague = await portal.person({ firstName: 'Karl', preferredLanguage: 'fi' })
    const response = await invite(browser, organizationId, colleague.email)
    expect([response.statusCode, response.json()]).toEqual([201, { email: colleague.email, organizationId }])
    expect(await invites.mailsTo(colleague.email)).toEqual([
      expect.objectContaining({
        ...{ template: 'user-invite', language: 'sv' },
        values: expect.objectContaining({ organizationName: name, inviterName: 'Ada Admin', message: null }),
      }),
    ])
    const theirs = await portal.signedIn(colleague)
    expect((await theirs.get(`/api/organizations/${organizationId}`)).statusCode).toBe(404)
    expect((await invites.eventsOf(colleague.email)).map((event) => event.name)).toEqual(['inviteUser'])
  })

  test('somebody who reads another language gets the mail in that, and again when it is sent again', async () => {
    const { browser, organizationId } = await invites.organizationWithAdmin()
    const [one, several] = [newEmail(), newEmail()]
    await invite(browser, organizationId, one, { language: 'fi' })
    await browser.post('/api/invites/bulk', { organizationId, rows: [{ email: several }], language: 'fr' })
    portal.advance(300)
    await browser.post('/api/invites/resend-invite', { email: one, organizationId })
    const { json } = await browser.get(`/api/organizations/${organizationId}/users?searchQuery=${several}`)
    const [{ accountId }] = json().items
    await browser.post(`/api/organizations/${organizationId}/users/resend-invitations`, { accountIds: [accountId] })
    const languagesTo = async (email: string) => (await invites.mailsTo(email)).map(({ language }) => language)
    expect([await languagesTo(one), await languagesTo(several)]).toEqual([
      ['fi', 'fi'],
      ['fr', 'fr'],
    ])
    expect((await invites.eventsOf(one))[0]?.changes).toContainEqual(
      expect.objectContaining({ property: 'language', newValue: 'fi' }),
    )
  })

  test('another admin makes one who accepts, and has proven afresh who is asking', async () => {
    const { browser, organizationId } = await invites.organizationWithAdmin()
    const email = newEmail()
    const asAdmin = () => invite(browser, organizationId, email, { userRole: 'organizationAdmin' })
    portal.advance(10 * 60 + 1)
    expect([(await asAdmin()).json().message, await invites.mailsTo(email)]).toEqual(['freshProofRequired', []])
    await browser.post('/api/step-up/password', { password: testPassword })
    expect((await asAdmin()).statusCode).toBe(201)
    expect((await invites.eventsOf(email))[0]?.changes).toContainEqual(
      expect.objectContaining({ property: 'userRole', newValue: 'organizationAdmin' }),
    )
    expect((await invites.accept(email, await invites.mailedToken(email))).statusCode).toBe(204)
    const { json } = await browser.get(`/api/organizations/${organizationId}/users?role=organizationAdmin`)
    expect(json().items.map((one: { email: string }) => one.email)).toContain(email)
  })

  test('a colleague gives an error, and nothing is sent', async () => {
    const { browser, organizationId } = await invites.organizationWithAdmin()
    const email = newEmail()
    await invite(browser, organizationId, email)
    const again = await invite(browser, organizationId, email)
    expect([again.statusCode, again.json().message]).toEqual([409, 'organizationAlreadyAdded'])
    expect(await invites.mailsTo(email)).toHaveLength(1)
    expect(await invites.eventsOf(email)).toHaveLength(1)
  })

  test('into another organisation gets the same answer as into a missing one', async () => {
    const { browser } = await invites.organizationWithAdmin()
    const other = await portal.organization()
    const foreign = await invite(browser, other.organizationId, newEmail())
    const missing = await invite(browser, '00000000-0000-7000-8000-000000000000', newEmail())
    expect([foreign.statusCode, missing.statusCode]).toEqual([404, 404])
    expect(foreign.json().message).toBe(missing.json().message)
  })

  test('may do so 50 times an hour', async () => {
    const { browser, organizationId } = await invites.organizationWithAdmin()
    for (let time = 1; time <= 50; time++)
      expect((await invite(browser, organizationId, newEmail())).statusCode).toBe(201)
    const refused = await invite(browser, organizationId, newEmail())
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '3600'])
  })

  test('the same new address at the same time as another admin creates two invitations', async () => {
    const [one, two] = [await invites.organizationWithAdmin(), await invites.organizationWithAdmin()]
    const email = newEmail()
    const answers = await Promise.all([one, two].map((at) => invite(at.browser, at.organizationId, email)))
    expect(answers.map((answer) => answer.statusCode)).toEqual([201, 201])
    expect(await invites.mailsTo(email)).toHaveLength(2)
  })
})

describe('an invitation that is sent again', () => {
  test('carries a new link and the same message, and the old link is dead', async () => {
    const { browser, organizationId } = await invites.organizationWithAdmin()
    const email = newEmail()
    await invite(browser, organizationId, email, { message: 'Hej!' })
    const old = await invites.mailedToken(email)
    portal.advance(300)
    expect((await browser.post('/api/invites/resend-invite', { email, organizationId })).statusCode).toBe(204)
    const [mail] = await invites.mailsTo(email)
    expect(mail?.values.message).toBe('Hej!')
    expect((await invites.find(old)).statusCode).toBe(404)
    expect((await invites.find(tokenIn(mail?.values.link))).statusCode).toBe(200)
    expect((await invites.eventsOf(email)).map((event) => event.name)).toEqual(['inviteUser', 'inviteUser'])
  })

  test('is sent once in five minutes, the first time included', async () => {
    const { browser, organizationId } = await invites.organizationWithAdmin()
    const email = newEmail()
    await invite(browser, organizationId, email)
    const resend = () => browser.post('/api/invites/resend-invite', { email, organizationId })
    const refused = await resend()
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '300'])
    portal.advance(300)
    expect((await resend()).statusCode).toBe(204)
  })

  test('does not exist for a person with an account or an unknown person', async () => {
    const { browser, organizationId, admin } = await invites.organizationWithAdmin()
    for (const email of [admin.email, newEmail()])
      expect((await browser.post('/api/invites/resend-invite', { email, organizationId })).statusCode).toBe(404)
  })
})

describe('a mail that has not left before its invitation ended', () => {
  const statesOf = async (email: string) => (await invites.mailsTo(email)).map(({ state }) => state)
  async function waiting() {
    const { browser, organizationId } = await invites.organizationWithAdmin()
    const email = newEmail()
    await invite(browser, organizationId, email)
    return { browser, organizationId, email }
  }

  test('is replaced when it is sent again: the person gets only the valid link', async () => {
    const { browser, organizationId, email } = await waiting()
    const { db } = portal.system
    await db.updateTable('outboxMessages').set({ state: 'failed' }).where('recipient', '=', email).execute()
    for (let time = 1; time <= 2; time++) {
      portal.advance(300)
      expect((await browser.post('/api/invites/resend-invite', { email, organizationId })).statusCode).toBe(204)
    }
    expect(await statesOf(email)).toEqual(['queued', 'dropped', 'dropped'])
    expect((await browser.get(invitePath(email, organizationId, 'delivery'))).json()).toMatchObject({
      delivery: 'queued',
      reason: null,
    })
  })

  test('stays behind when the invitation was accepted by the link that an admin handed over', async () => {
    const { browser, organizationId, email } = await waiting()
    const { url } = (await browser.get(invitePath(email, organizationId))).json()
    expect((await invites.accept(email, tokenIn(url))).statusCode).toBe(204)
    expect(await statesOf(email)).toEqual(['dropped'])
  })

  test('stays behind when it was withdrawn', async () => {
    const { browser, organizationId, email } = await waiting()
    const { invitationId } = (await invites.invitationOf(email)) ?? {}
    expect((await browser.delete(`/api/users/${invitationId}/organization/${organizationId}`)).statusCode).toBe(204)
    expect(await statesOf(email)).toEqual(['dropped'])
  })
})

test('an inviter sees whether the mail has left, and why not', async () => {
  const { browser, organizationId } = await invites.organizationWithAdmin()
  const email = newEmail()
  await invite(browser, organizationId, email)
  const path = invitePath(email, organizationId, 'delivery')
  expect((await browser.get(path)).json()).toEqual({
    sentAt: portal.now().toISOString(),
    expiresAt: new Date(portal.now().getTime() + week * 1000).toISOString(),
    accepted: false,
    delivery: 'queued',
    reason: null,
  })
  const [mail] = await invites.mailsTo(email)
  const failed = { state: 'failed', reason: '550 no such mailbox', finishedAt: portal.now() } as const
  await portal.system.db
    .updateTable('outboxMessages')
    .set(failed)
    .where('id', '=', mail?.id ?? '')
    .execute()
  expect((await browser.get(path)).json()).toMatchObject({ delivery: 'failed', reason: '550 no such mailbox' })
  portal.advance(300)
  await browser.post('/api/invites/resend-invite', { email, organizationId })
  expect((await browser.get(path)).json()).toMatchObject({ delivery: 'queued', reason: null })
  const other = await invites.organizationWithAdmin()
  expect((await other.browser.get(path)).statusCode).toBe(404)
})

test('an inviter sees that a person has accepted but not signed in yet', async () => {
  const { browser, organizationId } = await invites.organizationWithAdmin('bankid')
  const email = newEmail()
  await invite(browser, organizationId, email)
  await invites.acceptWithSsn(email, await invites.mailedToken(email), 'bankid', '199908072391')
  expect((await browser.get(invitePath(email, organizationId, 'delivery'))).json()).toEqual({
    ...{ sentAt: null, expiresAt: null, accepted: true, delivery: null, reason: null },
  })
})
