import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { maxGroups } from '#contract/groups/groups.ts'
import { fromBase32, stepAt, totp } from '#server/credentials/factors/totp.ts'
import { signInChallenge } from '#server/credentials/passkeys/challenges.ts'
import { authenticator } from './authenticator.ts'
import { bankIdOf } from './bankid.ts'
import type { Client } from './client.ts'
import { factorsOf } from './factors.ts'
import { invitationsOf, invite, newEmail } from './invitations.ts'
import { outboxOf } from './outbox.ts'
import { chosenPassword } from './people.ts'
import { askCompany, company, companyAnswer, employee } from './saml/company.ts'
import { secret, servicesOf } from './service.ts'
import { openSignIn } from './sign-in.ts'
import { type TestApp, testApp } from './test-app.ts'

// What is good once is good once, also where ten requests use it at the same time on two nodes (security 170).
// Assertions of clients: server/oidc/protocol/replays.test.ts. Seats: server/features/users/races.test.ts.

let portal: TestApp
let node: Awaited<ReturnType<TestApp['anotherNode']>>
let root: Client
beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '1000000/60', LIMIT_TOKEN_LOOKUP: '1000/60' })
  node = await portal.anotherNode()
})
afterAll(async () => {
  await node?.close()
  await portal?.close()
})
beforeEach(async () => {
  // Lets the limits that one thing used up expire before the next.
  portal.advance(3600)
  root = await portal.signedIn(await portal.person({ superUser: true }))
})

type At = Pick<TestApp, 'browser'>
type Answer = Awaited<ReturnType<Client['get']>>
type Use = (at: At) => Promise<boolean>

/** The same browser, as it is seen by a node. */
function same(browser: Client, at: At, path = '/'): Client {
  const copy = at.browser()
  for (const [name, value] of Object.entries(browser.cookies(path))) copy.setCookie(name, value)
  return copy
}
const succeeds = ({ statusCode }: Answer) => statusCode < 300
const leadsTo = (place: string | RegExp) => (answer: Answer) => String(answer.headers.location).search(place) >= 0
const device = authenticator()

async function strongPerson() {
  const person = await portal.person()
  const browser = await portal.signedIn(person)
  await factorsOf(portal).proveCode(browser, person)
  return { person, browser }
}
async function withPasskey() {
  const { person, browser } = await strongPerson()
  const options = (await browser.post('/api/profile/passkeys/challenge', { kind: 'passkey' })).json()
  return { person, browser, ...device.create(options) }
}
async function invited() {
  const invites = invitationsOf(portal)
  const { browser, organizationId } = await invites.organizationWithAdmin()
  return { invites, browser, organizationId }
}
/** A client, and a service that its person has signed in to. */
async function entered() {
  const services = servicesOf(portal)
  const clientId = await services.register()
  const browser = await portal.signedIn(await portal.person())
  const { url } = await browser.follow(await browser.get(services.requestFor(clientId), { accept: 'text/html' }))
  return { services, clientId, browser, url, servicesAt: (at: At) => servicesOf({ ...portal, browser: at.browser }) }
}

/** Makes one thing, and says how it is used and whether a use counted. */
const things: Record<string, () => Promise<Use>> = {
  'an authorization code': async () => {
    const { clientId, url, servicesAt } = await entered()
    return async (at) => 'id_token' in (await servicesAt(at).tokensAt(clientId, url))
  },
  'a refresh token': async () => {
    const { services, clientId, url, servicesAt } = await entered()
    const { refresh_token: token } = await services.tokensAt(clientId, url)
    return async (at) => 'id_token' in (await servicesAt(at).renew(clientId, token))
  },
  'a pushed request': async () => {
    const { services, clientId, browser } = await entered()
    const fields = { ...services.parametersFor(clientId), client_secret: secret }
    const { request_uri } = (await browser.submit('/oidc/request', fields, { accept: 'application/json' })).json()
    const address = `/oidc/auth?${new URLSearchParams({ client_id: clientId, request_uri })}`
    return async (at) => leadsTo('code=')(await same(browser, at).get(address, { accept: 'text/html' }))
  },
  'a mailed code': async () => {
    const person = await portal.person({ loginMethod: 'local2FA' })
    const browser = portal.browser()
    await factorsOf(portal).start(browser, person, { codeDeliveryType: 'email' })
    const code = await outboxOf(portal).codeSentTo(person.email)
    return async (at) => succeeds(await factorsOf(portal).verify(same(browser, at), person, code))
  },
  'a mailed code in a session': async () => {
    const { email, ...person } = await portal.person()
    const browser = await portal.signedIn({ email, ...person })
    await browser.post('/api/step-up/code', {})
    const code = await outboxOf(portal).codeSentTo(email)
    return async (at) => succeeds(await same(browser, at).post('/api/step-up/code/verify', { code }))
  },
  'a code of an app': async () => {
    const { person, browser } = await strongPerson()
    const codeOf = await factorsOf(portal).addApp(browser)
    portal.advance(600)
    return async (at) => succeeds(await factorsOf(portal).verify(at.browser(), person, codeOf()))
  },
  'the code that sets an app up': async () => {
    const { browser } = await strongPerson()
    const { secret: seed, setup } = (await browser.post('/api/profile/app', {})).json()
    const code = totp(fromBase32(seed), stepAt(portal.now()))
    return async (at) => succeeds(await same(browser, at).post('/api/profile/app/confirm', { setup, code }))
  },
  'a recovery code': async () => {
    const { person, browser } = await strongPerson()
    const [code] = (await browser.post('/api/profile/recovery-codes', {})).json().codes
    await factorsOf(portal).addApp(browser)
    return async (at) => succeeds(await factorsOf(portal).verify(at.browser(), person, code))
  },
  'a link to choose a new password': async () => {
    const { email } = await portal.person()
    await portal.browser().post('/api/initiate-password-reset', { email })
    const link = String((await outboxOf(portal).messagesTo(email))[0]?.values.link)
    const form = {
      email,
      token: link.split('/').at(-1),
      newPassword: chosenPassword,
      confirmNewPassword: chosenPassword,
    }
    return async (at) => succeeds(await at.browser().post('/api/reset-password', form))
  },
  'a mailed invitation': async () => {
    const { invites, browser, organizationId } = await invited()
    const email = newEmail()
    await invite(browser, organizationId, email)
    const token = await invites.mailedToken(email)
    return async (at) => succeeds(await invitationsOf({ ...portal, browser: at.browser }).accept(email, token))
  },
  'the invitation of somebody who has an account': async () => {
    const { browser, organizationId } = await invited()
    const person = await portal.person()
    await invite(browser, organizationId, person.email)
    const own = await portal.signedIn(person)
    const [{ invitationId }] = (await own.get('/api/invites/mine')).json()
    return async (at) => succeeds(await same(own, at).post(`/api/invites/${invitationId}/join`))
  },
  'a request for access': async () => {
    const { browser, organizationId } = await invited()
    const { serviceId } = await portal.service()
    await root.put('/api/services', { serviceId, requestable: true })
    await portal.offer(organizationId, serviceId)
    const person = await portal.person()
    await portal.join(person.accountId, organizationId)
    await (await portal.signedIn(person)).post('/api/access-requests', { organizationId, serviceId })
    const { rows } = await portal.system.pool.query(
      'select request_id as id from access_requests where service_id = $1',
      [serviceId],
    )
    return async (at) => succeeds(await same(browser, at).post(`/api/access-requests/${rows[0].id}/grant`))
  },
  'a new passkey': async () => {
    const { browser, credential } = await withPasskey()
    return async (at) => succeeds(await same(browser, at).post('/api/profile/passkeys', { credential }))
  },
  'the proof of a passkey': async () => {
    const { browser: owner, key, credential } = await withPasskey()
    expect((await owner.post('/api/profile/passkeys', { credential })).statusCode).toBe(201)
    const browser = portal.browser()
    const { uid, page } = await openSignIn(browser)
    const challenge = signInChallenge(portal.system.keys, uid)
    const proof = JSON.stringify(device.use(key, { challenge, rpId: key.rpId }))
    return async (at) => leadsTo(/^\/$/)(await same(browser, at, page).submit(`${page}/passkey`, { credential: proof }))
  },
  'an order of BankID': async () => {
    const bankid = bankIdOf(portal)
    const { email, ssn } = await bankid.customer()
    const signIn = await bankid.begin(email)
    await bankid.identify(signIn, ssn)
    const { page, browser } = signIn
    return async (at) => leadsTo(/^\/$/)(await same(browser, at, page).submit(`${page}/bankid`, {}))
  },
  'the answer of a company': async () => {
    const { post } = await answered()
    return async (at) => leadsTo('ticket=')(await post(at))
  },
  'the ticket of an answer': async () => {
    const { post, browser, page } = await answered()
    const address = String((await post(portal)).headers.location)
    return async (at) => leadsTo(/^\/$/)(await same(browser, at, page).get(address, { accept: 'text/html' }))
  },
  'the last group of an organisation': async () => {
    const { browser, organizationId } = await invited()
    await portal.system.pool.query(
      `insert into groups (group_id, organization_id, name) select gen_random_uuid(), $1, 'Group ' || n from generate_series(2, $2::int) n`,
      [organizationId, maxGroups],
    )
    let groups = 0
    return async (at) =>
      succeeds(await same(browser, at).post('/api/groups', { organizationId, name: `New ${++groups}` }))
  },
  'the last token of a directory': async () => {
    const { browser, organizationId } = await invited()
    const form = { name: 'Entra', days: '365' }
    const call = `/api/organizations/${organizationId}/directory/tokens`
    expect((await browser.post(call, form)).statusCode).toBe(201)
    return async (at) => succeeds(await same(browser, at).post(call, form))
  },
  'the request of an idempotency key': async () => {
    const { organizationId } = await portal.organization()
    const seen = new Set<string>()
    return async (at) => {
      const headers = { 'idempotency-key': 'ten-times' }
      const answer = await same(root, at).post('/api/groups', { organizationId, name: 'Ekonomi' }, headers)
      // All get the answer of the one that ran.
      const isNew = succeeds(answer) && !seen.has(answer.json().groupId)
      if (succeeds(answer)) seen.add(answer.json().groupId)
      return isNew
    }
  },
}

/** A company's answer to the request of a browser, which it sends to us. */
async function answered() {
  const acme = await company(portal)
  const { email } = await employee(portal, acme)
  const browser = portal.browser()
  const asked = await askCompany(portal, browser, acme)
  const xml = companyAnswer(acme, asked, { nameId: email })
  const form = { SAMLResponse: Buffer.from(xml).toString('base64'), RelayState: asked.relayState }
  const post = (at: At) => at.browser().submit(`/saml/${acme.configId}/acs`, form, { 'sec-fetch-site': 'cross-site' })
  return { post, browser, page: `/interaction/${asked.uid}` }
}

test.each(Object.keys(things))('%s counts once', async (name) => {
  const use = await (things[name] as () => Promise<Use>)()
  const uses = await Promise.all(Array.from({ length: 10 }, (_, index) => use(index % 2 ? node : portal)))
  expect(uses.filter((counted) => counted)).toHaveLength(1)
  expect(await use(portal)).toBe(false)
})
