import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '#test/client.ts'
import { directoryOf } from '#test/directory.ts'
import { invitationsOf, invite } from '#test/invitations.ts'
import { testPassword } from '#test/people.ts'
import { attempt, type Outcome, refused } from '#test/saml/attempt.ts'
import { type Asked, type Company, company, companyAnswer } from '#test/saml/company.ts'
import { servicesOf } from '#test/service.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

// An account that another customer opened at an address by its shown link, and the owner of the address, who comes by the own
// company's sign-in or directory. With a company's OpenID Provider: company-oidc.test.ts.

let portal: TestApp
let root: Client
let invites: ReturnType<typeof invitationsOf>
let services: ReturnType<typeof servicesOf>
let a: Awaited<ReturnType<typeof invites.organizationWithAdmin>>
beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '1000000/60' })
  root = await portal.signedIn(await portal.person({ superUser: true }))
  invites = invitationsOf(portal)
  services = servicesOf(portal)
  a = await invites.organizationWithAdmin()
})
afterAll(() => portal?.close())

let domains = 0
/** A has opened an account at an address, in a domain that no company has yet, and signed it in to a service. */
async function stolen() {
  const above = `taken${++domains}.example`
  const domain = `staff.${above}`
  const email = `owner@${domain}`
  await invite(a.browser, a.organizationId, email)
  const form = { password: testPassword, confirmNewPassword: testPassword }
  const token = await invites.shownToken(a.browser, email, a.organizationId)
  expect((await invites.accept(email, token, form)).statusCode).toBe(204)
  const { accountId = '' } = (await invites.userOf(email)) ?? {}
  const clientId = await services.register({ backchannelLogoutUri: 'http://127.0.0.1:1/backchannel' })
  return { above, domain, email, accountId, thief: await services.signInTo(clientId, { email, accountId }) }
}

/** Adds a domain to a configuration. @param proven whether it counts */
async function own(configId: number, domain: string, proven = true) {
  const call = `/api/saml-configs/${configId}/domains`
  expect((await root.post(call, { domain })).statusCode).toBe(201)
  if (proven) expect((await root.post(`${call}/confirm`, { domain, reason: 'seen' })).statusCode).toBe(200)
}

/** A customer whose people are created when they sign in there. */
async function customer(): Promise<Company> {
  const of = await company(portal)
  const { organizationId } = of
  expect((await root.put('/api/organizations', { organizationId, createAtSignIn: true })).statusCode).toBe(200)
  return of
}
const signIn = (of: Company, email: string): Promise<Outcome> =>
  attempt(portal, { company: of, craft: (asked: Asked) => companyAnswer(of, asked, { nameId: email }) })

/** What is left of the account that A had opened, and what A, B and the operator read. */
async function expectReplaced({ email, accountId, thief }: Awaited<ReturnType<typeof stolen>>) {
  const successor = await invites.userOf(email)
  expect(successor?.accountId).not.toBe(accountId)
  expect((await thief.browser.get('/api/me')).statusCode).toBe(401)
  expect((await services.userInfo(thief.tokens.access_token)).statusCode).toBe(401)
  const told = await portal.system.db.selectFrom('logoutDeliveries').select(['accountId', 'state']).execute()
  expect(told).toContainEqual({ accountId, state: 'queued' })
  const waiting = await portal.system.db
    .selectFrom('invitations')
    .select('organizationId')
    .where('email', '=', email)
    .execute()
  expect(waiting).toEqual([{ organizationId: a.organizationId }])
  await portal.seal()
  const { items } = (await root.get(`/api/audit-events?nameFilter=deleteUser&targetIdFilter=${accountId}`)).json()
  expect(items[0].changes).toContainEqual({
    property: 'replacedBy',
    previousValue: null,
    newValue: successor?.accountId,
  })
  return successor
}

describe('the owner of the address', () => {
  test('is signed in by the own company, with a new id: what was there ends, and waits as an invitation', async () => {
    const [taken, acme] = [await stolen(), await customer()]
    await own(acme.configId, taken.domain)
    expect(await signIn(acme, taken.email)).toMatchObject({ signedInAs: taken.email, page: '/' })
    const successor = await expectReplaced(taken)
    expect(successor).toMatchObject({
      ...{ loginMethod: 'saml', samlConfigId: acme.configId, openedFor: acme.organizationId },
      ...{ emailProof: 'samlDomain', pending: false, passwordHash: null },
    })
    const memberships = await portal.system.db
      .selectFrom('memberships')
      .select('organizationId')
      .where('accountId', '=', successor?.accountId ?? '')
      .execute()
    expect(memberships).toEqual([{ organizationId: acme.organizationId }])
    // Proven by now: nobody else takes it.
    const again = await customer()
    await own(again.configId, taken.above)
    expect(await signIn(again, taken.email)).toEqual(refused())
    expect((await invites.userOf(taken.email))?.accountId).toBe(successor?.accountId)
  })

  test('who signs in twice at once gets one account', async () => {
    const [taken, acme] = [await stolen(), await customer()]
    await own(acme.configId, taken.domain)
    await Promise.all([signIn(acme, taken.email), signIn(acme, taken.email)])
    await expectReplaced(taken)
    expect(await signIn(acme, taken.email)).toMatchObject({ signedInAs: taken.email })
  })

  test('is let in by the own directory, and proves the address by the first sign-in', async () => {
    const [taken, directory] = [await stolen(), await directoryOf(portal)]
    await own(directory.samlConfigId, taken.domain)
    const answer = await directory.call('POST', '/Users', directory.user({ userName: taken.email, emails: undefined }))
    expect([answer.statusCode, answer.body.includes(taken.accountId)]).toEqual([201, false])
    expect(await directory.logged()).toMatchObject({ deeds: ['stored', 'opened'] })
    const successor = await expectReplaced(taken)
    expect(successor).toMatchObject({
      loginMethod: 'saml',
      openedFor: directory.organizationId,
      emailProof: null,
      pending: true,
    })
    expect(await directory.accountAt(taken.email)).toMatchObject({ role: 'regular' })
    // The company above does not take whom the company below has let in.
    const above = await customer()
    await own(above.configId, taken.above)
    expect(await signIn(above, taken.email)).toEqual(refused())
    expect((await invites.userOf(taken.email))?.accountId).toBe(successor?.accountId)
  })
})

describe('an account makes no way', () => {
  type Change = Record<string, unknown>
  const now = new Date()
  const proven = (emailProof: string): Change => ({ emailProof, emailProvenAt: emailProof === 'operator' ? null : now })
  const kept: [string, Change][] = [
    ['was proven by a mailed link', proven('mailedLink')],
    ['was proven by a mailed code', proven('mailedCode')],
    ['was proven by another company', proven('samlDomain')],
    ['the operator vouches for', proven('operator')],
    [
      'was proven, and never signed in',
      { ...proven('mailedLink'), pending: true, loginMethod: 'bankid', passwordHash: null },
    ],
    ['is a super user’s', { ...proven('operator'), superUser: true }],
    ['a super user has added', { openedFor: null }],
  ]
  test.each(kept)('which %s: not for the own company, and not for its directory', async (_, change) => {
    const [taken, acme, directory] = [await stolen(), await customer(), await directoryOf(portal)]
    await portal.system.db.updateTable('users').set(change).where('accountId', '=', taken.accountId).execute()
    await own(acme.configId, taken.domain)
    expect(await signIn(acme, taken.email)).toEqual(refused())
    const below = `below.${taken.domain}`
    await portal.system.db
      .updateTable('users')
      .set({ email: `owner@${below}` })
      .where('accountId', '=', taken.accountId)
      .execute()
    await own(directory.samlConfigId, below)
    const sent = directory.user({ userName: `owner@${below}`, emails: undefined })
    expect((await directory.call('POST', '/Users', sent)).statusCode).toBe(201)
    expect((await directory.logged()).deeds).toEqual(['stored', 'invited'])
    expect((await invites.userOf(`owner@${below}`))?.accountId).toBe(taken.accountId)
  })

  test('for a company or directory without a proof of the domain', async () => {
    const [taken, acme, directory] = [await stolen(), await customer(), await directoryOf(portal)]
    await own(acme.configId, taken.domain, false)
    for (const email of [taken.email, taken.email.toUpperCase()]) expect(await signIn(acme, email)).toEqual(refused())
    await own(directory.samlConfigId, `not${taken.domain}`)
    await directory.call('POST', '/Users', directory.user({ userName: taken.email, emails: undefined }))
    expect((await directory.logged()).deeds).toEqual(['stored', 'invited'])
    expect((await taken.thief.browser.get('/api/me')).json().accountId).toBe(taken.accountId)
  })

  test('for a company that would not let the person in', async () => {
    const [taken, acme] = [await stolen(), await company(portal)]
    await own(acme.configId, taken.domain)
    expect(await signIn(acme, taken.email)).toEqual(refused(/no such person/))
    expect((await invites.userOf(taken.email))?.accountId).toBe(taken.accountId)
  })

  test('that the organisation itself has opened', async () => {
    const [taken, acme] = [await stolen(), await customer()]
    const openedFor = acme.organizationId
    await portal.system.db.updateTable('users').set({ openedFor }).where('accountId', '=', taken.accountId).execute()
    await own(acme.configId, taken.domain)
    expect(await signIn(acme, taken.email)).toEqual(refused())
  })
})
