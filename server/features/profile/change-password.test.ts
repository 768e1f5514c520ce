import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#server/platform/ids.ts'
import type { Client } from '#test/client.ts'
import { factorsOf } from '#test/factors.ts'
import { outboxOf } from '#test/outbox.ts'
import { type Person, testPassword } from '#test/people.ts'
import { finishSignIn, openSignIn } from '#test/sign-in.ts'
import { signIn, type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await testApp()
})
afterAll(() => portal?.close())
// What one test used up of a limit is long over for the next.
beforeEach(() => portal.advance(3600))

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
      .orderBy('id')
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

test('a changed password ends every other session immediately, and the owner is notified', async () => {
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

const message = (answer: Awaited<ReturnType<typeof change>>) => answer.statusCode === 204 || answer.json().message

describe('of somebody who has more than a password', () => {
  test('a code of the last ten minutes is asked for, too, in whatever session', async () => {
    const person = await portal.person({ loginMethod: 'local2FA' })
    const browser = await factorsOf(portal).signedInByMail(person)
    portal.advance(601)
    expect(message(await change(browser))).toBe('freshProofRequired')
    await factorsOf(portal).proveCode(browser, person)
    expect(message(await change(browser))).toBe('freshProofRequired')
    await browser.post('/api/step-up/password', { password: testPassword })
    expect(message(await change(browser))).toBe(true)
  })

  test('a mailed code is not enough beside an app, and nothing has changed before', async () => {
    const person = await portal.person()
    const { browser, codeOf } = await factorsOf(portal).giveApp(person)
    portal.advance(601)
    await browser.post('/api/step-up/password', { password: testPassword })
    await factorsOf(portal).proveCode(browser, person)
    portal.advance(60)
    const other = await factorsOf(portal).signedInByMail(person)
    expect(message(await change(browser))).toBe('freshProofRequired')
    expect(message(await change(other))).toBe('freshProofRequired')
    expect(await isSignedIn(other)).toBe(true)
    expect((await browser.post('/api/step-up/code/verify', { code: codeOf() })).statusCode).toBe(204)
    expect(message(await change(browser))).toBe(true)
    expect(await isSignedIn(other)).toBe(false)
  })

  test('who must change it can prove that first', async () => {
    const person = await portal.person({ loginMethod: 'local2FA' })
    const browser = await factorsOf(portal).signedInByMail(person)
    const { accountId } = person
    await portal.system.db
      .updateTable('users')
      .set({ passwordMustChange: true })
      .where('accountId', '=', accountId)
      .execute()
    portal.advance(601)
    expect(message(await change(browser))).toBe('freshProofRequired')
    await browser.post('/api/step-up/password', { password: testPassword })
    expect((await browser.get('/api/step-up')).json()).toEqual({ fresh: false, steps: ['email'] })
    await factorsOf(portal).proveCode(browser, person)
    expect(message(await change(browser))).toBe(true)
  })
})

const wrong = { oldPassword: 'Wrong-horse-7-battery' }

test('a wrong old password changes nothing, and counts like any other', async () => {
  const person = await portal.person()
  const browser = await portal.signedIn(person)
  for (let time = 1; time <= 2; time++) {
    const response = await change(browser, wrong)
    expect([response.statusCode, response.json().message]).toEqual([401, 'invalidCredentials'])
  }
  const elsewhere = { email: person.email, password: wrong.oldPassword }
  for (let time = 1; time <= 3; time++) await portal.browser().post('/api/verify-credentials', elsewhere)
  const limited = await change(browser)
  expect([limited.statusCode, limited.headers['retry-after']]).toEqual([429, '1'])
  portal.advance(1)
  expect((await change(browser)).statusCode).toBe(204)
  expect(await namesOfEvents(person)).toEqual([...Array(5).fill('loginFailure'), 'changePassword'])
})

describe('the fifth wrong password in a session', () => {
  test('ends that session and no other, and the owner is notified once', async () => {
    const person = await portal.person({ preferredLanguage: 'fi' })
    const [thief, owner] = [await portal.signedIn(person), await portal.signedIn(person)]
    for (let time = 1; time <= 5; time++) {
      expect(await isSignedIn(thief)).toBe(true)
      const asked =
        time % 2
          ? change(thief, wrong)
          : thief.put('/api/profile', { phoneNumber: '+46701740605', currentPassword: wrong.oldPassword })
      expect((await asked).json().message).toBe('invalidCredentials')
    }
    expect([await isSignedIn(thief), await isSignedIn(owner)]).toEqual([false, true])
    expect((await change(thief)).statusCode).toBe(401)
    expect(await namesOfEvents(person)).toEqual(Array(5).fill('loginFailure'))
    const messages = await outboxOf(portal).messagesTo(person.email)
    expect(messages).toMatchObject([
      { template: 'wrong-passwords', language: 'fi', values: { at: portal.now().toISOString() } },
    ])
    const [last] = await portal.system.db
      .selectFrom('auditEvents')
      .select('changes')
      .where('targetId', '=', person.accountId)
      .orderBy('id', 'desc')
      .execute()
    expect(last?.changes).toContainEqual({
      property: 'reason',
      previousValue: null,
      newValue: 'too many wrong passwords: the session was ended',
    })
  })

  test('is counted over the whole session, also after correct ones, and from zero in the next session', async () => {
    const person = await portal.person()
    const browser = await portal.signedIn(person)
    const tryTwice = async () => {
      for (let time = 1; time <= 2; time++) await change(browser, wrong)
    }
    await tryTwice()
    await browser.put('/api/profile', { phoneNumber: '+46701740605', currentPassword: testPassword })
    await tryTwice()
    expect(await isSignedIn(browser)).toBe(true)
    const other = await portal.signedIn(person)
    expect((await change(other, wrong)).statusCode).toBe(401)
    expect([await isSignedIn(browser), await isSignedIn(other)]).toEqual([true, true])
    await change(browser, wrong)
    expect([await isSignedIn(browser), await isSignedIn(other)]).toEqual([false, true])
  })

  test('is counted also in concurrent requests', async () => {
    const person = await portal.person()
    const browser = await portal.signedIn(person)
    await Promise.all(Array.from({ length: 12 }, () => change(browser, wrong)))
    expect(await isSignedIn(browser)).toBe(false)
    expect(await templatesTo(person)).toEqual(['wrong-passwords'])
  })
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
  'a person who signs in with %s has no password to change',
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

test('of two concurrent changes one wins, and the other gets an error for its old password', async () => {
  const person = await portal.person()
  const browser = await portal.signedIn(person)
  const answers = await Promise.all([change(browser), change(browser, { newPassword: 'Green-otter-43-lamp' })])
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([204, 401])
  expect(await namesOfEvents(person)).toEqual(expect.arrayContaining(['changePassword']))
})

describe('a person whose password an admin chose', () => {
  async function newcomer() {
    const person = await portal.person()
    await portal.system.db
      .updateTable('users')
      .set({ passwordMustChange: true })
      .where('accountId', '=', person.accountId)
      .execute()
    return { person, browser: await portal.signedIn(person) }
  }

  test('must change it, and may do nothing else that needs a session, but prove who it is', async () => {
    const { person, browser } = await newcomer()
    expect((await browser.get('/api/me')).json().passwordMustChange).toBe(true)
    const routes = portal.app.routeList.flatMap(({ method, route }) => (route?.method === method ? [route] : []))
    const asked = []
    // A machine, or a directory, brings a token of its own.
    for (const route of routes.filter(({ access }) => !['public', 'machine', 'scim'].includes(String(access)))) {
      const url = route.url.replaceAll(/\{\w+\}/g, person.accountId)
      const response = await portal.app.inject({
        method: route.method,
        url,
        headers: {
          host: 'portal.test',
          'sec-fetch-site': 'same-origin',
          'content-type': route.body === 'form' ? 'application/x-www-form-urlencoded' : 'application/json',
          cookie: Object.entries(browser.cookies())
            .map(([name, value]) => `${name}=${value}`)
            .join('; '),
        },
        ...(route.method === 'GET' ? {} : { payload: route.body === 'form' ? 'a=b' : '{}' }),
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
    ).toEqual([
      ...[
        'GET /api/me',
        'GET /api/start',
        'GET /api/step-up',
        'POST /api/step-up/code',
        'POST /api/step-up/code/verify',
      ],
      ...['POST /api/step-up/passkey', 'POST /api/step-up/passkey/verify', 'POST /api/step-up/password'],
      'PUT /api/profile/password',
    ])
    expect((await browser.get('/api/session-expire')).json().secondsToLive).toBeGreaterThan(0)
    expect((await browser.get('/api/portal')).statusCode).toBe(200)
  })

  test('must change it on the way to a service, and then continues to the service', async () => {
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
