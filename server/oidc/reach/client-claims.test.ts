import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#server/platform/ids.ts'
import { bankIdOf } from '#test/bankid.ts'
import type { Client } from '#test/client.ts'
import { outboxOf } from '#test/outbox.ts'
import { callback, servicesOf } from '#test/service.ts'
import { openSignIn, submitPassword } from '#test/sign-in.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let root: Client
let bankid: ReturnType<typeof bankIdOf>
beforeAll(async () => {
  portal = await testApp()
  bankid = bankIdOf(portal)
  root = await portal.signedIn(await portal.person({ superUser: true }))
})
afterAll(() => portal.close())

const [one, two] = ['urn:vestibule:acr:one-factor', 'urn:vestibule:acr:two-factors']
const phoneNumber = '+46701740612'
let numbers = 0
/** Valid, and unlike those of other tests. */
const newNumber = () => ['199908072391', '191212121212', '198507099805', '195006262546'][numbers++] as string

async function newWorld(person: Parameters<TestApp['person']>[0] = {}) {
  const service = await portal.service(`Journal ${newId()}`)
  const who = await portal.person(person)
  const { organizationId } = await portal.organization()
  await portal.offer(organizationId, service.serviceId)
  await portal.join(who.accountId, organizationId)
  await portal.assign(who.accountId, organizationId, service.serviceId)
  const clientId = await servicesOf(portal).register({ serviceId: service.serviceId })
  return { ...service, who, organizationId, clientId, browser: await portal.signedIn(who) }
}
type World = Awaited<ReturnType<typeof newWorld>>

const save = async ({ serviceId }: World, input: object) => {
  const answer = await root.put(`/api/services/${serviceId}/client`, input)
  expect(answer.statusCode).toBe(200)
}
async function ask({ browser, clientId }: World, more: Record<string, string> = {}): Promise<URL> {
  const { headers } = await browser.get(servicesOf(portal).requestFor(clientId, more), { accept: 'text/html' })
  return new URL(String(headers.location), 'http://portal.test')
}
async function tokensOf(world: World, more: Record<string, string> = {}) {
  const end = await ask(world, more)
  expect(end.href).toContain(callback)
  return servicesOf(portal).tokensAt(world.clientId, end.href)
}
const userInfo = async (token: string) =>
  (await portal.browser().get('/oidc/me', { authorization: `Bearer ${token}` })).json()

async function raise({ browser, who: { email } }: World, by: 'email' | 'sms' = 'email') {
  await browser.post('/api/step-up/code', { codeDeliveryType: by })
  const code = await outboxOf(portal).codeSentTo(by === 'sms' ? phoneNumber : email)
  expect((await browser.post('/api/step-up/code/verify', { code })).statusCode).toBe(204)
}

describe('`acr` says with how many factors somebody signed in', () => {
  const essential = (...values: string[]) => ({
    claims: JSON.stringify({ id_token: { acr: { essential: true, values } } }),
  })
  const errorOf = (url: URL) => url.searchParams.get('error')

  test('one, and two after a code', async () => {
    const world = await newWorld()
    expect(decodeJwt((await tokensOf(world)).id_token)).toMatchObject({ acr: one })
    await raise(world)
    expect(decodeJwt((await tokensOf(world)).id_token)).toMatchObject({ acr: two })
    // Two factors meet the wish for one.
    expect(decodeJwt((await tokensOf(world, essential(one))).id_token)).toMatchObject({ acr: one })
    const { acr_values_supported: values } = (
      await portal.browser().get('/oidc/.well-known/openid-configuration')
    ).json()
    expect(values).toEqual([one, two, 'phr'])
  })

  test.each([
    ['as an essential claim', essential(two)],
    ['as the only value', { claims: JSON.stringify({ id_token: { acr: { essential: true, value: two } } }) }],
    ['by `acr_values`', { acr_values: `urn:unknown ${two}` }],
  ])('two factors, asked for %s, are asked for once on a page, and the request goes on', async (_, more) => {
    const world = await newWorld()
    const page = await ask(world, more)
    expect(page.pathname).toBe('/stronger-sign-in')
    await raise(world)
    const { headers } = await world.browser.get(page.searchParams.get('returnTo') ?? '', { accept: 'text/html' })
    const tokens = await servicesOf(portal).tokensAt(world.clientId, String(headers.location))
    expect(decodeJwt(tokens.id_token)).toMatchObject({ acr: two })
  })

  test('without a page an essential value is an error, and a wish is not', async () => {
    const world = await newWorld()
    expect(errorOf(await ask(world, { prompt: 'none', ...essential(two) }))).toBe('unmet_authentication_requirements')
    const { id_token: token } = await tokensOf(world, { prompt: 'none', acr_values: two })
    expect(decodeJwt(token)).toMatchObject({ acr: one })
  })

  test('`phr` after a passkey; the names of factors that only the portal knows stay in it', async () => {
    const world = await newWorld()
    await raise(world)
    const demanded = await ask(world, essential('phr'))
    expect([demanded.pathname, demanded.searchParams.get('factor')]).toEqual(['/stronger-sign-in', 'passkey'])
    expect(errorOf(await ask(world, { prompt: 'none', ...essential('phr') }))).toBe('unmet_authentication_requirements')
    // A wish for it asks for nothing: not everybody has a passkey.
    expect(decodeJwt((await tokensOf(world, { acr_values: 'phr' })).id_token)).toMatchObject({
      acr: two,
      amr: ['pwd', 'otp', 'mfa'],
    })
    await portal.system.pool.query(
      `update sessions set payload = jsonb_set(payload, '{amr}', '["pwd", "otp", "app", "pop", "user", "mfa"]') where account_id = $1`,
      [world.who.accountId],
    )
    expect(decodeJwt((await tokensOf(world, essential('phr'))).id_token)).toMatchObject({
      acr: 'phr',
      amr: ['pwd', 'otp', 'pop', 'user', 'mfa'],
    })
    expect(decodeJwt((await tokensOf(world, { acr_values: `${one} ${two}` })).id_token)).toMatchObject({ acr: two })
  })

  test('a value that the portal does not have is an error where it is essential, and ignored where not', async () => {
    const world = await newWorld()
    expect(errorOf(await ask(world, essential('urn:gold')))).toBe('unmet_authentication_requirements')
    expect(decodeJwt((await tokensOf(world, { acr_values: 'urn:gold' })).id_token)).toMatchObject({ acr: one })
    const odd = JSON.stringify({ id_token: { acr: { essential: true, values: 'urn:gold' } } })
    expect(errorOf(await ask(world, { claims: odd }))).toBe('invalid_request')
  })
})

describe('a pairwise `sub`', () => {
  test('is the same in every token of a service, another at another one, and comes back when it is chosen again', async () => {
    const world = await newWorld()
    const subOf = async () => {
      const tokens = await tokensOf(world)
      const { sub } = decodeJwt(tokens.id_token)
      expect((await userInfo(tokens.access_token)).sub).toBe(sub)
      const renewed = await servicesOf(portal).renew(world.clientId, tokens.refresh_token)
      expect(decodeJwt(renewed.id_token).sub).toBe(sub)
      return sub
    }
    expect(await subOf()).toBe(world.who.accountId)
    await save(world, { pairwise: true })
    const sub = await subOf()
    expect(sub).toMatch(/^[\w-]{43}$/)
    await save(world, { pairwise: false })
    expect(await subOf()).toBe(world.who.accountId)
    // Several hosts are no hindrance.
    await save(world, { pairwise: true, redirectUris: [callback, 'https://other.example/callback'] })
    expect(await subOf()).toBe(sub)
    const other = { ...(await newWorld()), browser: world.browser }
    await portal.offer(world.organizationId, other.serviceId)
    await portal.assign(world.who.accountId, world.organizationId, other.serviceId)
    await save(other, { pairwise: true })
    expect(decodeJwt((await tokensOf(other)).id_token).sub).not.toBe(sub)
  })
})

test('a client with ids of its own cannot read who has the service by the ids of the accounts', async () => {
  const { serviceId } = await newWorld()
  const refused = await root.put(`/api/services/${serviceId}/client`, { pairwise: true, directoryAccess: true })
  expect(refused.statusCode).toBe(422)
  expect(refused.json().issues).toEqual([{ path: 'directoryAccess', message: 'notWithPairwise' }])
})

describe('`phone_number_verified`', () => {
  const claims = async (world: World) => userInfo((await tokensOf(world, { scope: 'openid phone' })).access_token)

  test('is what a used code proves, for that number alone', async () => {
    const world = await newWorld({ phoneNumber })
    expect(await claims(world)).toMatchObject({ phone_number: phoneNumber, phone_number_verified: false })
    await raise(world, 'sms')
    expect(await claims(world)).toMatchObject({ phone_number_verified: true })
    const { db } = portal.system
    const change = (to: string) =>
      db.updateTable('users').set({ phoneNumber: to }).where('accountId', '=', world.who.accountId).execute()
    await change('+46701740613')
    expect(await claims(world)).toMatchObject({ phone_number: '+46701740613', phone_number_verified: false })
    // A code that was sent to the earlier number proves nothing about this one.
    await world.browser.post('/api/step-up/code', { codeDeliveryType: 'sms' })
    const code = await outboxOf(portal).codeSentTo('+46701740613')
    await change(phoneNumber)
    await world.browser.post('/api/step-up/code/verify', { code })
    expect(await claims(world)).toMatchObject({ phone_number: phoneNumber, phone_number_verified: false })
  })

  test('is left out without a number', async () => {
    expect(await claims(await newWorld())).not.toHaveProperty('phone_number_verified')
  })
})

describe('a personal identity number', () => {
  const scope = 'openid personal_identity_number'
  const eventsOf = ({ serviceId }: World, name: string) =>
    portal.system.db
      .selectFrom('auditEvents')
      .selectAll()
      .where('name', '=', name)
      .where('targetId', '=', serviceId)
      .execute()
  const issued = (world: World) => eventsOf(world, 'issuePersonalNumber')

  test('goes to no service without a reason, whatever it asks for', async () => {
    const world = await newWorld({ ssn: newNumber() })
    expect((await ask(world, { scope })).searchParams.get('error')).toBe('invalid_scope')
    const claims = JSON.stringify({
      id_token: { personal_identity_number: { essential: true } },
      userinfo: { personal_identity_number: null },
    })
    const tokens = await tokensOf(world, { claims })
    const told = JSON.stringify([decodeJwt(tokens.id_token), await userInfo(tokens.access_token)])
    expect(told).not.toContain('personal_identity_number')
    expect(await issued(world)).toEqual([])
  })

  test('goes to a service with one, by userinfo alone, with an event each time that does not hold it', async () => {
    const ssn = newNumber()
    const world = await newWorld({ ssn })
    await save(world, { personalNumberReason: 'Patient records, Patientdatalagen 2008:355' })
    const tokens = await tokensOf(world, {
      scope,
      claims: JSON.stringify({ id_token: { personal_identity_number: null } }),
    })
    expect(JSON.stringify(decodeJwt(tokens.id_token))).not.toContain(ssn)
    expect(await issued(world)).toHaveLength(0)
    expect(await userInfo(tokens.access_token)).toMatchObject({ personal_identity_number: ssn })
    await userInfo(tokens.access_token)
    const events = await issued(world)
    expect(events).toHaveLength(2)
    expect(events[0]).toMatchObject({ actorId: world.who.accountId, organizationIds: [world.organizationId] })
    // Ids are random, and may have any four digits.
    expect(JSON.stringify(events.map(({ id: _, salt: __, requestId: ___, ...rest }) => rest))).not.toContain(ssn)
    expect(JSON.stringify(events.map(({ changes }) => changes))).not.toContain(ssn.slice(-4))
    // A token without the scope gets none.
    expect(await userInfo((await tokensOf(world)).access_token)).not.toHaveProperty('personal_identity_number')
    // What is taken back ends at once.
    await save(world, { personalNumberReason: null })
    expect(await userInfo(tokens.access_token)).not.toHaveProperty('personal_identity_number')
    expect(JSON.stringify(await eventsOf(world, 'updateClient'))).toContain(
      'Patient records, Patientdatalagen 2008:355',
    )
  })

  test('is verified once the person has signed in with BankID, until somebody enters another one', async () => {
    const world = await newWorld()
    await save(world, { personalNumberReason: 'Payroll' })
    const { accountId, email } = world.who
    const change = async (fields: object) =>
      expect((await root.put('/api/users', { accountId, ...fields })).statusCode).toBe(200)
    const verified = async ({ browser } = world) =>
      (await userInfo((await tokensOf({ ...world, browser }, { scope })).access_token))
        .personal_identity_number_verified
    const ssn = bankid.newNumber()
    await change({ ssn })
    expect(await verified()).toBe(false)
    await change({ loginMethod: 'bankid' })
    const signedIn = { ...world, ...(await bankid.signIn(email, ssn)) }
    expect(await verified(signedIn)).toBe(true)
    await change({ firstName: 'Åsa' })
    expect(await verified(signedIn)).toBe(true)
    await change({ ssn: bankid.newNumber() })
    expect(await verified(signedIn)).toBe(false)
  })

  test('is not verified by a later sign-in with a password in a session that BankID has raised', async () => {
    const ssn = bankid.newNumber()
    const world = await newWorld({ ssn })
    await save(world, { personalNumberReason: 'Payroll' })
    const { browser, who } = world
    const signInAgain = servicesOf(portal).requestFor(world.clientId, { prompt: 'login' })
    const verified = async () =>
      (await userInfo((await tokensOf(world, { scope })).access_token)).personal_identity_number_verified
    const { location } = await bankid.signIn(who.email, ssn, { browser, startAt: signInAgain })
    await browser.get(location, { accept: 'text/html' })
    expect(await verified()).toBe(true)
    const changed = await root.put('/api/users', { accountId: who.accountId, ssn: bankid.newNumber() })
    expect(changed.statusCode).toBe(200)
    expect(await verified()).toBe(false)
    const { page } = await openSignIn(browser, signInAgain)
    const { headers } = await submitPassword(browser, page, who.email)
    await browser.get(String(headers.location), { accept: 'text/html' })
    expect(await verified()).toBe(false)
  })

  test('is not there for somebody without one, and then leaves no event', async () => {
    const world = await newWorld()
    await save(world, { personalNumberReason: 'Payroll' })
    expect(await userInfo((await tokensOf(world, { scope })).access_token)).toEqual({ sub: world.who.accountId })
    expect(await issued(world)).toEqual([])
  })
})

test('the launcher starts the sign-in at the service where the service wants that, with the organisation', async () => {
  const world = await newWorld()
  await save(world, { initiateLoginUri: 'https://journal.example/login?tenant=1' })
  const { headers } = await world.browser.get(`/launch/${world.serviceId}?organizationId=${world.organizationId}`)
  const target = new URL(String(headers.location))
  expect(target.origin + target.pathname).toBe('https://journal.example/login')
  expect(Object.fromEntries(target.searchParams)).toEqual({
    tenant: '1',
    iss: 'http://portal.test/oidc',
    target_link_uri: world.url,
    organization_id: world.organizationId,
  })
})

test('a service that asks for single claims gets none that its scopes do not allow, and no page asks the person', async () => {
  const world = await newWorld({ phoneNumber, firstName: 'Ärla' })
  await save(world, { scopes: ['openid', 'email'] })
  const claims = JSON.stringify({
    userinfo: { phone_number: null, given_name: { essential: true }, email: null },
    id_token: { phone_number: null, family_name: null },
  })
  const tokens = await tokensOf(world, { scope: 'openid email', claims })
  const seen = { ...decodeJwt(tokens.id_token), ...(await userInfo(tokens.access_token)) }
  expect(seen).toMatchObject({ email: world.who.email })
  for (const name of ['phone_number', 'given_name', 'family_name']) expect(seen).not.toHaveProperty(name)
  // From the next request on, when a super user lets it.
  await save(world, { scopes: ['openid', 'email', 'phone', 'profile'] })
  const later = await tokensOf(world, { scope: 'openid email', claims })
  expect(await userInfo(later.access_token)).toMatchObject({ phone_number: phoneNumber, given_name: 'Ärla' })
})
