import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#server/platform/ids.ts'
import type { Client } from '#test/client.ts'
import { outboxOf } from '#test/outbox.ts'
import { type Person, testPassword } from '#test/people.ts'
import { finishSignIn, openSignIn } from '#test/sign-in.ts'
import { signIn, type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await testApp()
})
afterAll(() => portal?.close())

const fresh = 'Brown-otter-42-lamp'
const change = (browser: Client, form: Record<string, string> = {}) =>
  browser.put('/api/profile/password', {
    oldPassword: testPassword,
    newPassword: fresh,
    confirmNewPassword: form.newPassword ?? fresh,
    ...form,
  })
const isSignedIn = async (browser: Client) => (await browser.get('/api/me')).statusCode === 200
const namesOfEvents = async (person: Person) =>
  (
    await portal.system.db
      .selectFrom('auditEvents')
      .select('name')
      .where('targetId', '=', person.accountId)
      .where('name', '<>', 'loginSuccess')
      .orderBy('seq')
      .execute()
  ).map(({ name }) => name)
const templatesTo = async (person: Person) =>
  (
    await portal.system.db
      .selectFrom('outboxMessages')
      .select('template')
      .where('accountId', '=', person.accountId)
      .execute()
  ).map(({ template }) => template)

test('a changed password ends every other session at once, and the owner is told', async () => {
  const person = await portal.person()
  const [here, there] = [await portal.signedIn(person), await portal.signedIn(person)]
  const response = await change(here)
  expect([response.statusCode, response.body]).toEqual([204, ''])
  expect([await isSignedIn(here), await isSignedIn(there)]).toEqual([true, false])
  expect(await namesOfEvents(person)).toEqual(['changePassword'])
  expect(await templatesTo(person)).toEqual(['password-changed'])
  await portal.signedIn(person, fresh)
  await expect(portal.signedIn(person)).rejects.toThrow('could not sign in')
})

test('a link to choose a password that lies in a mailbox is useless once the password is changed', async () => {
  const person = await portal.person()
  const browser = await portal.signedIn(person)
  await portal.browser().post('/api/initiate-password-reset', { email: person.email })
  const link = String((await outboxOf(portal).messagesTo(person.email))[0]?.values.link)
  const call = `/api${new URL(link).pathname}`
  expect((await portal.browser().get(call)).statusCode).toBe(200)
  expect((await change(browser)).statusCode).toBe(204)
  expect((await portal.browser().get(call)).statusCode).toBe(404)
})

test('a password of local2FA changes as well', async () => {
  const person = await portal.person()
  const browser = await portal.signedIn(person)
  await portal.system.db
    .updateTable('users')
    .set({ loginMethod: 'local2FA' })
    .where('accountId', '=', person.accountId)
    .execute()
  expect((await change(browser)).statusCode).toBe(204)
})

test('a wrong old password changes nothing, and counts like any other', async () => {
  const person = await portal.person()
  const browser = await portal.signedIn(person)
  for (let time = 1; time <= 5; time++) {
    const response = await change(browser, { oldPassword: 'Wrong-horse-7-battery' })
    expect([response.statusCode, response.json().message]).toEqual([401, 'invalidCredentials'])
  }
  const limited = await change(browser)
  expect([limited.statusCode, limited.headers['retry-after']]).toEqual([429, '1'])
  portal.advance(1)
  expect((await change(browser)).statusCode).toBe(204)
  expect(await namesOfEvents(person)).toEqual([...Array(5).fill('loginFailure'), 'changePassword'])
})

test.each([
  ['a common one', 'Password1234!'],
  ['one with the own name', 'Ragnhild-2026-aa'],
  ['one with the own organisation', 'Storkontoret-26!'],
])('%s is refused', async (_, newPassword) => {
  const person = await portal.person({ firstName: 'Ragnhild' })
  await portal.join(person.accountId, (await portal.organization('Storkontoret')).organizationId)
  const browser = await portal.signedIn(person)
  const response = await change(browser, { newPassword })
  expect([response.statusCode, response.json().issues]).toEqual([
    422,
    [{ path: 'newPassword', message: 'passwordTooCommon' }],
  ])
  expect(await namesOfEvents(person)).toEqual([])
})

test.each([
  ['too short', { newPassword: 'Short-1' }, { path: 'newPassword', message: 'passwordTooShort' }],
  ['without a digit', { newPassword: 'Brown-otter-lamp' }, { path: 'newPassword', message: 'passwordInvalidPattern' }],
  ['the one it was', { newPassword: testPassword }, { path: 'newPassword', message: 'passwordUnchanged' }],
  [
    'mistyped',
    { confirmNewPassword: 'Other-otter-42' },
    { path: 'confirmNewPassword', message: 'passwordsDoNotMatch' },
  ],
  ['without the old one', { oldPassword: '' }, { path: 'oldPassword', message: 'required' }],
])('a new password that is %s is refused at its field', async (_, form, issue) => {
  const browser = await portal.signedIn(await portal.person())
  const response = await change(browser, form)
  expect([response.statusCode, response.json().issues]).toEqual([422, [issue]])
})

test.each(['bankid', 'saml'] as const)(
  'somebody who signs in with %s has no password to change',
  async (loginMethod) => {
    const person = await portal.person()
    const browser = await portal.signedIn(person)
    const samlConfigId = loginMethod === 'saml' ? await portal.samlConfig() : null
    await portal.system.db
      .updateTable('users')
      .set({ loginMethod, samlConfigId, passwordHash: null })
      .where('accountId', '=', person.accountId)
      .execute()
    const response = await change(browser)
    expect([response.statusCode, response.json().message]).toEqual([409, 'passwordNotForMethod'])
    expect(await namesOfEvents(person)).toEqual([])
  },
)

test('of two changes at the same moment one wins, and the other is told that its password is no more', async () => {
  const person = await portal.person()
  const browser = await portal.signedIn(person)
  const answers = await Promise.all([change(browser), change(browser, { newPassword: 'Green-otter-43-lamp' })])
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([204, 401])
  expect(await namesOfEvents(person)).toEqual(expect.arrayContaining(['changePassword']))
})

describe('a person whose password somebody else chose', () => {
  async function newcomer() {
    const person = await portal.person()
    await portal.system.db
      .updateTable('users')
      .set({ passwordMustChange: true })
      .where('accountId', '=', person.accountId)
      .execute()
    return { person, browser: await portal.signedIn(person) }
  }

  test('is told so, and may do nothing else that needs a session', async () => {
    const { person, browser } = await newcomer()
    expect((await browser.get('/api/me')).json().passwordMustChange).toBe(true)
    const routes = portal.app.routeList.flatMap(({ method, route }) => (route?.method === method ? [route] : []))
    const asked = []
    for (const route of routes.filter(({ access }) => access !== 'public')) {
      const url = route.url.replaceAll(/\{\w+\}/g, person.accountId)
      const response = await portal.app.inject({
        method: route.method,
        url,
        headers: {
          host: 'portal.test',
          'sec-fetch-site': 'same-origin',
          'content-type': 'application/json',
          cookie: Object.entries(browser.cookies())
            .map(([name, value]) => `${name}=${value}`)
            .join('; '),
        },
        ...(route.method === 'GET' ? {} : { payload: '{}' }),
      })
      const refused = response.statusCode === 403 && response.json().message === 'passwordMustChange'
      asked.push({ call: `${route.method} ${route.url}`, refused })
    }
    expect(asked.length).toBeGreaterThan(15)
    expect(
      asked
        .filter(({ refused }) => !refused)
        .map(({ call }) => call)
        .sort(),
    ).toEqual(['GET /api/me', 'PUT /api/profile/password'])
    expect((await browser.get('/api/session-expire')).json().secondsToLive).toBeGreaterThan(0)
    expect((await browser.get('/api/portal')).statusCode).toBe(200)
  })

  test('is led to change it on the way to a service, and gets there afterwards', async () => {
    const { person, browser } = await newcomer()
    const clientId = newId()
    await portal.system.db
      .insertInto('clients')
      .values({
        clientId,
        name: 'Journal',
        redirectUris: ['https://journal.example/callback'],
        tokenEndpointAuthMethod: 'none',
      })
      .execute()
    const request = `/oidc/auth?${new URLSearchParams({
      client_id: clientId,
      response_type: 'code',
      redirect_uri: 'https://journal.example/callback',
      scope: 'openid',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    })}`
    const ask = async (more = '') => (await browser.follow(await browser.get(request + more))).url
    expect(await ask()).toBe('/account?tab=password')
    expect(await ask('&prompt=none')).toContain('error=interaction_required')
    const elsewhere = portal.browser()
    const { page } = await openSignIn(elsewhere, request)
    expect(await finishSignIn(elsewhere, page, person.email)).toBe('/account?tab=password')
    await change(browser)
    expect(await ask()).toMatch(/^https:\/\/journal\.example\/callback\?code=/)
  })

  test('may do everything once it is changed', async () => {
    const { browser } = await newcomer()
    expect((await change(browser, { newPassword: testPassword })).statusCode).toBe(422)
    expect((await change(browser)).statusCode).toBe(204)
    expect((await browser.get('/api/me')).json().passwordMustChange).toBe(false)
    expect((await browser.get('/api/profile/sessions')).statusCode).toBe(200)
  })

  test('can sign out instead', async () => {
    const { person, browser } = await newcomer()
    expect((await browser.submit('/logout', {})).statusCode).toBe(303)
    expect(await namesOfEvents(person)).toEqual(['logout'])
  })

  test('is asked again at the next sign-in', async () => {
    const { person } = await newcomer()
    const again = portal.browser()
    await signIn(again, person.email, testPassword)
    expect((await again.get('/api/profile/sessions')).json().message).toBe('passwordMustChange')
  })
})
