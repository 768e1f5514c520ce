import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '#test/client.ts'
import { servicesOf, signedOut } from '#test/service.ts'
import { finishSignIn, openSignIn } from '#test/sign-in.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let services: ReturnType<typeof servicesOf>
beforeAll(async () => {
  portal = await testApp()
  services = servicesOf(portal)
})
afterAll(() => portal.close())

const page = { accept: 'text/html' }
const crossSite = { ...page, 'sec-fetch-site': 'cross-site' }

describe('ui_locales chooses the language', () => {
  const languageOf = async (browser: Client, address: string) => {
    const { response } = await browser.follow(await browser.get(address, page))
    return /<html lang="(\w+)"/.exec(response.body)?.[1]
  }

  test('of the sign-in and of its next step: the first language that the portal has', async () => {
    const clientId = await services.register()
    const browser = portal.browser({ 'accept-language': 'en' })
    const asked = services.requestFor(clientId, { ui_locales: 'de fr-CA sv' })
    expect(await languageOf(browser, asked)).toBe('fr')
    const { page: step } = await openSignIn(browser, asked)
    expect(await languageOf(browser, `${step}/login?email=a%40b.example`)).toBe('fr')
    expect(await languageOf(browser, services.requestFor(clientId, { ui_locales: 'de' }))).toBe('en')
  })

  test('of an error page and of the sign-out', async () => {
    const browser = portal.browser({ 'accept-language': 'en' })
    expect(await languageOf(browser, '/oidc/auth?client_id=unknown&ui_locales=fi')).toBe('fi')
    const person = await portal.signedIn(await portal.person())
    expect(await languageOf(person, '/oidc/session/end?ui_locales=fr')).toBe('fr')
  })

  test("but never against the person's own choice", async () => {
    const browser = portal.browser()
    browser.setCookie('language', 'fi')
    expect(await languageOf(browser, services.requestFor(await services.register(), { ui_locales: 'en' }))).toBe('fi')
  })
})

describe('a service that wants a new sign-in', () => {
  const addressStep = async (browser: Client, clientId: string, more: Record<string, string>) => {
    const { url } = await browser.follow(await browser.get(services.requestFor(clientId, more), page))
    return new URL(url, 'http://portal.test').searchParams.get('email')
  }

  test('by prompt=login or max_age meets a page that knows whose session it is', async () => {
    const clientId = await services.register()
    const person = await portal.person()
    const browser = await portal.signedIn(person)
    expect(await addressStep(browser, clientId, { prompt: 'login' })).toBe(person.email)
    portal.advance(61)
    expect(await addressStep(browser, clientId, { max_age: '60' })).toBe(person.email)
    // The service knows better.
    expect(await addressStep(browser, clientId, { prompt: 'login', login_hint: 'other@test.example' })).toBe(
      'other@test.example',
    )
  })

  test('of another person, or in a browser without a session: the page knows nobody', async () => {
    const clientId = await services.register()
    const [before, after] = [await portal.person(), await portal.person()]
    const { tokens } = await services.signInTo(clientId, after)
    const browser = await portal.signedIn(before)
    expect(await addressStep(browser, clientId, { id_token_hint: tokens.id_token })).toBeNull()
    expect(await addressStep(portal.browser(), clientId, { prompt: 'login' })).toBeNull()
  })
})

describe('a sign-out that a service asks for', () => {
  const leave = async (browser: Client, parameters: Record<string, string>) => {
    const started = await browser.get(`/oidc/session/end?${new URLSearchParams(parameters)}`, crossSite)
    if (
      !String(started.headers.location).startsWith('http://portal.test/logout') &&
      started.headers.location !== '/logout'
    )
      return { started, asks: undefined }
    return { started, asks: (await browser.get('/logout', crossSite)).body.includes('data-ask="yes"') }
  }

  test.each([
    ['with back-channel logout', { backchannelLogoutUri: 'https://journal.example/backchannel' }],
    ['without', {}],
    ['with ids of its own', { pairwise: true }],
  ])('needs no second click with an ID token of this session: a client %s', async (_, client) => {
    const clientId = await services.register(client)
    const { browser, tokens } = await services.signInTo(clientId, await portal.person())
    const { started } = await leave(browser, { id_token_hint: tokens.id_token, post_logout_redirect_uri: signedOut })
    expect([started.statusCode, started.headers.location]).toEqual([303, signedOut])
    expect((await browser.get('/api/me')).statusCode).toBe(401)
    // Neither the session nor the address that the portal's page would have needed is left.
    expect(Object.keys(browser.cookies('/logout')).map((name) => name.split('-')[0])).toEqual(['known', 'ask'])
  })

  test('is confirmed without an ID token, or with one of another session or person', async () => {
    const clientId = await services.register({ backchannelLogoutUri: 'https://journal.example/backchannel' })
    const person = await portal.person()
    const { browser, tokens } = await services.signInTo(clientId, person)
    const elsewhere = await services.signInTo(clientId, person)
    const other = await services.signInTo(clientId, await portal.person())
    expect((await leave(browser, { client_id: clientId })).asks).toBe(true)
    expect((await leave(browser, { id_token_hint: elsewhere.tokens.id_token })).asks).toBe(true)
    expect((await leave(browser, { id_token_hint: other.tokens.id_token })).asks).toBe(true)
    expect((await browser.get('/api/me')).statusCode).toBe(200)
    const { started } = await leave(browser, { id_token_hint: tokens.id_token })
    expect([started.statusCode, started.headers.location]).toEqual([303, '/signed-out'])
    expect((await browser.get('/api/me')).statusCode).toBe(401)
  })

  test('of a session that has ended goes straight on to the service', async () => {
    const clientId = await services.register()
    const { browser, tokens } = await services.signInTo(clientId, await portal.person())
    await browser.submit('/logout', {})
    const { started } = await leave(browser, {
      id_token_hint: tokens.id_token,
      post_logout_redirect_uri: signedOut,
      state: 'bye',
    })
    expect([started.statusCode, started.headers.location]).toEqual([303, `${signedOut}?state=bye`])
  })
})

test('somebody without the service is refused with an event, one for each hour', async () => {
  const { serviceId } = await portal.service('Journal')
  const clientId = await services.register({ serviceId })
  const person = await portal.person()
  const browser = await portal.signedIn(person)
  const events = () =>
    portal.system.db
      .selectFrom('auditEvents')
      .select(['target', 'targetId', 'changes'])
      .where('actorId', '=', person.accountId)
      .where('name', '=', 'serviceEntryRefused')
      .execute()
  const silent = await browser.get(services.requestFor(clientId, { prompt: 'none' }))
  const { searchParams } = new URL(String(silent.headers.location))
  expect([searchParams.get('error'), searchParams.get('error_description')]).toEqual([
    'access_denied',
    'the service is not assigned',
  ])
  expect(await events()).toMatchObject([{ target: 'Journal', targetId: serviceId }])
  expect((await browser.get(services.requestFor(clientId))).headers.location).toContain(`/no-access/${serviceId}`)
  expect(await events()).toHaveLength(1)
  portal.advance(3601)
  const later = portal.browser()
  const { page: step } = await openSignIn(later, services.requestFor(clientId))
  expect(await finishSignIn(later, step, person.email)).toContain(`/no-access/${serviceId}`)
  expect(await events()).toHaveLength(2)
})

test('a refused entry is an event of the organisations that have the service, and of no other of the person', async () => {
  const [having, other] = [await portal.organization(), await portal.organization()].map(
    (one) => one.organizationId,
  ) as [string, string]
  const { serviceId } = await portal.service('Archive')
  await portal.offer(having, serviceId)
  const person = await portal.person()
  await portal.join(person.accountId, having)
  await portal.join(person.accountId, other)
  const browser = await portal.signedIn(person)
  await browser.get(services.requestFor(await services.register({ serviceId }), { prompt: 'none' }))
  const { organizationIds } = await portal.system.db
    .selectFrom('auditEvents')
    .select('organizationIds')
    .where('name', '=', 'serviceEntryRefused')
    .where('targetId', '=', serviceId)
    .executeTakeFirstOrThrow()
  expect(organizationIds).toEqual([having])
})
