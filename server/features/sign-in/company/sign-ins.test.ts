import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#server/platform/ids.ts'
import type { Subject } from '#simulators/saml-idp/answer.ts'
import type { Client } from '#test/client.ts'
import { invitationsOf, invite } from '#test/invitations.ts'
import { askCompany, type Company, company, companyAnswer, deliver, employee } from '#test/saml/company.ts'
import { type TestApp, testApp } from '#test/test-app.ts'
import { traceChanges } from '#test/traces.ts'

let portal: TestApp
let acme: Company
let invites: ReturnType<typeof invitationsOf>
beforeAll(async () => {
  portal = await testApp()
  acme = await company(portal)
  invites = invitationsOf(portal)
})
afterAll(() => portal.close())

/** Signs in at the company as this subject. @returns the final address */
async function signIn(browser: Client, subject: Subject, start = '/login'): Promise<string> {
  const asked = await askCompany(portal, browser, acme, start)
  const answered = await deliver(portal, acme, companyAnswer(acme, asked, subject), asked.relayState)
  return (await browser.follow(answered)).url
}

const signedInAs = async (browser: Client) => (await browser.get('/api/me')).json().email
const eventsOf = (email: string) =>
  portal.system.db
    .selectFrom('auditEvents')
    .select(['name', 'changes', 'actor'])
    .where('target', '=', email)
    .where('name', 'in', ['loginSuccess', 'loginFailure'])
    .orderBy('id')
    .execute()

test('the first sign-in with the right number activates an invited account, and audits that', async () => {
  const { organizationId, browser: admin } = await invites.organizationWithAdmin()
  await portal.system.db
    .updateTable('organizations')
    .set({ loginMethod: 'saml', samlConfigId: acme.configId })
    .where('organizationId', '=', organizationId)
    .execute()
  await portal.system.db
    .updateTable('samlConfigs')
    .set({ assertsNumbers: true })
    .where('id', '=', acme.configId)
    .execute()
  const email = 'nina@elsewhere.example'
  await invite(admin, organizationId, email)
  const subject = { nameId: 'nina.nystrom', attributes: { personalIdentityNumber: '191212121212' } }
  const browser = portal.browser()
  expect(await signIn(browser, { nameId: email })).toContain('error=samlRefused')
  await invites.acceptWithSsn(email, await invites.mailedToken(email), 'saml', '191212121212')
  const other = { ...subject, attributes: { personalIdentityNumber: '19990807-2391' } }
  expect(await signIn(browser, other)).toContain('error=samlRefused')
  expect(await signIn(browser, subject)).toBe('/')
  expect(await signedInAs(browser)).toBe(email)
  expect(await invites.userOf(email)).toMatchObject({ pending: false })
  const events = await eventsOf(email)
  expect(events.map(({ name }) => name)).toEqual(['loginFailure', 'loginSuccess'])
  expect(events.at(-1)?.changes).toEqual([
    { property: 'pending', previousValue: 'true', newValue: 'false' },
    ...traceChanges('saml'),
  ])
})

test('wrong passwords do not block SAML sign-in', async () => {
  const { email } = await employee(portal, acme)
  for (let attempt = 0; attempt < 25; attempt++)
    await portal.browser().post('/api/verify-credentials', { email, password: 'wrong' })
  const browser = portal.browser()
  expect(await signIn(browser, { nameId: email })).toBe('/')
  expect(await signedInAs(browser)).toBe(email)
})

test('a passive person gets a mail that explains why SAML sign-in fails', async () => {
  const { email } = await employee(portal, acme, { passive: true })
  expect(await signIn(portal.browser(), { nameId: email })).toContain('error=samlRefused')
  expect((await invites.mailsTo(email)).map(({ template }) => template)).toEqual(['refused-passive'])
})

test('a sign-in replaces the session of another person in the same browser', async () => {
  const first = await portal.person()
  const browser = await portal.signedIn(first)
  const { email } = await employee(portal, acme)
  expect(await signIn(browser, { nameId: email }, '/login?prompt=login&returnTo=/account')).toBe('/account')
  expect(await signedInAs(browser)).toBe(email)
})

test('a signed-in person authenticates again, and the session counts as recent', async () => {
  const { email, accountId } = await employee(portal, acme)
  const browser = portal.browser()
  await signIn(browser, { nameId: email })
  portal.advance(1800)
  const change = () => browser.put('/api/profile', { phoneNumber: '+46701740605' })
  expect((await change()).json()).toMatchObject({ message: 'freshProofRequired' })
  expect(await signIn(browser, { nameId: email }, '/login?prompt=login&returnTo=/account')).toBe('/account')
  expect((await change()).statusCode).toBe(200)
  const sessions = await portal.system.db
    .selectFrom('sessions')
    .select('accountId')
    .where('accountId', '=', accountId)
    .execute()
  expect(sessions).toHaveLength(1)
})

test('a service receives the person whom the company signed in', async () => {
  const clientId = newId()
  const callback = 'https://journal.example/callback'
  await portal.system.db
    .insertInto('clients')
    .values({ clientId, name: 'Journal', redirectUris: [callback], tokenEndpointAuthMethod: 'none' })
    .execute()
  const verifier = randomBytes(32).toString('base64url')
  const { email, accountId } = await employee(portal, acme)
  const end = await signIn(
    portal.browser(),
    { nameId: email },
    `/oidc/auth?${new URLSearchParams({
      client_id: clientId,
      response_type: 'code',
      redirect_uri: callback,
      scope: 'openid email',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    })}`,
  )
  const code = new URL(end).searchParams.get('code') ?? ''
  const fields = { grant_type: 'authorization_code', client_id: clientId, code, redirect_uri: callback }
  const response = await portal
    .browser()
    .submit('/oidc/token', { ...fields, code_verifier: verifier }, { accept: 'application/json' })
  const claims = JSON.parse(Buffer.from(response.json().id_token.split('.')[1], 'base64url').toString())
  expect(claims).toMatchObject({ sub: accountId, aud: clientId, amr: ['fed'] })
})
