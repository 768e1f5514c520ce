import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hashId } from '#server/oidc/hash-id.ts'
import type { Client } from '#test/client.ts'
import { testPassword } from '#test/people.ts'
import { finishSignIn, openSignIn, submitPassword } from '#test/sign-in.ts'
import { type TestApp, testApp } from '#test/test-app.ts'
import { traceChanges } from '#test/traces.ts'

let portal: TestApp
let browser: Client
beforeAll(async () => {
  portal = await testApp()
})
afterAll(() => portal.close())
beforeEach(() => {
  browser = portal.browser()
})

const me = async (client: Client) => (await client.get('/api/me')).json()
const events = async (label: string) =>
  (
    await portal.system.db.selectFrom('auditEvents').select('name').where('target', '=', label).orderBy('id').execute()
  ).map(({ name }) => name)

describe('a person with a password', () => {
  test('signs in and reaches the requested page', async () => {
    const { email } = await portal.person()
    const { page } = await openSignIn(browser, '/login?returnTo=%2Faccount%3Ftab%3Dpassword')
    expect(await finishSignIn(browser, page, email)).toBe('/account?tab=password')
    expect(await me(browser)).toMatchObject({ email })
    expect(await events(email)).toEqual(['loginSuccess'])
    const row = await portal.system.db
      .selectFrom('users')
      .selectAll()
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    expect(row.lastLogin).toEqual(portal.now())
  })

  test('comes to an address in any alphabet, with a session', async () => {
    const { email } = await portal.person()
    const { page } = await openSignIn(browser, '/login?returnTo=/日本')
    const ended = await submitPassword(browser, page, email)
    expect([ended.statusCode, ended.headers.location]).toEqual([303, '/%E6%97%A5%E6%9C%AC'])
    expect(await me(browser)).toMatchObject({ email })
  })

  test('is led straight to the page, and straight on from it', async () => {
    const { email } = await portal.person()
    const begun = await browser.get('/login?returnTo=/account')
    expect(begun.headers.location).toMatch(/\/interaction\/[\w-]+$/)
    const page = URL.parse(String(begun.headers.location), 'http://portal.test')?.pathname ?? ''
    const ended = await submitPassword(browser, page, email)
    expect([ended.statusCode, ended.headers.location]).toEqual([303, '/account'])
    expect(await me(browser)).toMatchObject({ email })
  })

  test('may write the address with capitals and blanks around it', async () => {
    const { email } = await portal.person()
    const { page } = await openSignIn(browser)
    expect(await finishSignIn(browser, page, `  ${email.toUpperCase()} `)).toBe('/')
  })

  test('signs in as a super user too', async () => {
    const { email } = await portal.person({ superUser: true })
    const { page } = await openSignIn(browser)
    await finishSignIn(browser, page, email)
    expect(await me(browser)).toMatchObject({ email, superUser: true })
  })

  test('goes straight through when already signed in', async () => {
    const { email } = await portal.person()
    await finishSignIn(browser, (await openSignIn(browser)).page, email)
    const { url } = await browser.follow(await browser.get('/login?returnTo=/account'))
    expect(url).toBe('/account')
  })

  test('gets a new session id at every sign-in', async () => {
    const { email } = await portal.person()
    await finishSignIn(browser, (await openSignIn(browser)).page, email)
    const first = browser.cookies().portal_session
    const anew =
      '/oidc/auth?client_id=portal&response_type=none&scope=openid&prompt=login&redirect_uri=http%3A%2F%2Fportal.test%2Fsigned-in'
    await finishSignIn(browser, (await openSignIn(browser, anew)).page, email)
    expect(browser.cookies().portal_session).not.toBe(first)
    browser.setCookie('portal_session', first ?? '')
    expect((await browser.get('/api/me')).statusCode).toBe(401)
  })

  test("ends another person's session by signing in over it", async () => {
    const [one, other] = [await portal.person(), await portal.person()]
    const { page } = await openSignIn(browser, '/login?returnTo=/account')
    await finishSignIn(browser, (await openSignIn(browser)).page, one.email)
    const before = browser.cookies()
    expect(await finishSignIn(browser, page, other.email)).toBe('/account')
    expect(await me(browser)).toMatchObject({ email: other.email })
    const old = portal.browser()
    for (const [name, value] of Object.entries(before)) old.setCookie(name, value)
    expect((await old.get('/api/me')).statusCode).toBe(401)
  })
})

describe('a wrong password', () => {
  test('leads back to the page with the address and what was wrong, and leaves one event', async () => {
    const { email } = await portal.person()
    const { page } = await openSignIn(browser)
    const response = await submitPassword(browser, page, email, 'Wrong-horse-7-battery')
    expect(response.statusCode).toBe(303)
    expect(response.headers.location).toBe(`${page}/login?email=${encodeURIComponent(email)}&error=invalidCredentials`)
    expect((await browser.get('/api/me')).statusCode).toBe(401)
    expect(await events(email)).toEqual(['loginFailure'])
  })

  test('can be followed by the right one in the same interaction', async () => {
    const { email } = await portal.person()
    const { page } = await openSignIn(browser, '/login?returnTo=/account')
    await submitPassword(browser, page, email, 'Wrong-horse-7-battery')
    expect(await finishSignIn(browser, page, email)).toBe('/account')
  })

  test('is logged only with the address, the method and the origin', async () => {
    const { page } = await openSignIn(browser)
    await submitPassword(browser, page, 'nobody@unknown.example', 'Secret-horse-7-battery')
    const event = await portal.system.db
      .selectFrom('auditEvents')
      .selectAll()
      .where('target', '=', 'nobody@unknown.example')
      .executeTakeFirstOrThrow()
    expect(event).toMatchObject({ name: 'loginFailure', targetId: null, actorId: null })
    expect(event.changes).toEqual(traceChanges('password'))
    expect(JSON.stringify([event, portal.logged])).not.toContain('Secret-horse')
  })

  test('that is missing is asked for', async () => {
    const { email } = await portal.person()
    const { page } = await openSignIn(browser)
    const response = await browser.submit(`${page}/login`, { email, password: '' })
    expect(response.headers.location).toContain('error=required')
    const unreadable = await browser.submit(`${page}/login`, { email: 'no address', password: 'x' })
    expect(unreadable.headers.location).toBe(`${page}?email=no+address&error=invalidEmail`)
  })
})

describe('the check before the form', () => {
  test('gives a ticket, and the form needs no password any more', async () => {
    const { email } = await portal.person()
    const { page } = await openSignIn(browser)
    const verified = await browser.post('/api/verify-credentials', { email, password: testPassword })
    expect(verified.statusCode).toBe(204)
    expect(verified.headers['set-cookie']).toMatch(/^ticket=[\w-]{43}; Max-Age=60; Path=\/; HttpOnly; SameSite=Lax$/)
    expect(await finishSignIn(browser, page, email, '')).toBe('/')
    expect(await events(email)).toEqual(['loginSuccess'])
  })

  test('gives a ticket that works once, for a minute, for that person', async () => {
    const [one, other] = [await portal.person(), await portal.person()]
    const ticketFor = async () => {
      await browser.post('/api/verify-credentials', { email: one.email, password: testPassword })
      return browser.cookies('/interaction').ticket ?? ''
    }
    const outcome = async (email: string) => {
      const { page } = await openSignIn(
        browser,
        '/oidc/auth?client_id=portal&response_type=none&scope=openid&prompt=login&redirect_uri=http%3A%2F%2Fportal.test%2Fsigned-in',
      )
      return (await submitPassword(browser, page, email, '')).headers.location
    }
    await ticketFor()
    expect(await outcome(other.email)).toContain('error=')
    await ticketFor()
    portal.advance(61)
    expect(await outcome(one.email)).toContain('error=')
    const used = await ticketFor()
    expect(await outcome(one.email)).toBe('/')
    browser.setCookie('ticket', used, '/interaction')
    expect(await outcome(one.email)).toContain('error=')
  })

  test('gives a ticket that signs in once, however many forms bring it at the same moment', async () => {
    const { email } = await portal.person()
    const pages: string[] = []
    for (let tab = 1; tab <= 5; tab++) pages.push((await openSignIn(browser)).page)
    await browser.post('/api/verify-credentials', { email, password: testPassword })
    const ends = await Promise.all(
      pages.map(async (page) => String((await submitPassword(browser, page, email, '')).headers.location)),
    )
    expect(ends.filter((end) => end === '/')).toHaveLength(1)
    expect(await events(email)).toEqual(['loginSuccess'])
  })

  test('refuses unknown fields, wrong types and missing ones, and names them', async () => {
    const response = await browser.post('/api/verify-credentials', { email: 7, pass: 'x' })
    expect(response.statusCode).toBe(422)
    expect(
      response
        .json()
        .issues.map(({ path }: { path: string }) => path)
        .sort(),
    ).toEqual(['email', 'pass', 'password'])
  })
})

describe('a sign-in never dead-ends', () => {
  const restartedAt = async (url: string, client = browser) =>
    client.follow(await client.get(url, { accept: 'text/html' }))

  test('two tabs do not disturb each other', async () => {
    const { email } = await portal.person()
    const first = await openSignIn(browser, '/login?returnTo=/account')
    const second = await openSignIn(browser, '/login?returnTo=/users')
    expect(await finishSignIn(browser, second.page, email)).toBe('/users')
    expect(await finishSignIn(browser, first.page, email)).toBe('/account')
  })

  test('the back button after a sign-in goes on to where it led', async () => {
    const { email } = await portal.person()
    const { page } = await openSignIn(browser, '/login?returnTo=/account')
    await finishSignIn(browser, page, email)
    expect((await restartedAt(page)).url).toBe('/account')
    expect((await restartedAt(`${page}/login?email=${email}`)).url).toBe('/account')
  })

  test('an expired interaction begins again with address and goal kept', async () => {
    const { email } = await portal.person()
    const { page, uid } = await openSignIn(browser, '/login?returnTo=/account')
    portal.advance(3601)
    const { url } = await browser.follow(await submitPassword(browser, page, email))
    expect(url).toMatch(/^\/interaction\/[\w-]+\?email=/)
    expect(url).not.toContain(uid)
    expect(new URL(url, 'http://portal.test').searchParams.get('email')).toBe(email)
    expect(await finishSignIn(browser, url.split('?')[0] ?? '', email)).toBe('/account')
  })

  test('the interaction of another browser begins a new one in this', async () => {
    const { email } = await portal.person()
    const { page, uid } = await openSignIn(browser, '/login?returnTo=/account')
    const other = portal.browser()
    const { url } = await restartedAt(`${page}/login?email=${email}`, other)
    expect(url).not.toContain(uid)
    const posted = await submitPassword(other, page, email)
    expect(posted.headers.location).toBe(`/login?returnTo=%2Faccount&email=${encodeURIComponent(email)}`)
    expect((await other.get('/api/me')).statusCode).toBe(401)
    expect(await events(email)).toEqual([])
  })

  test('a cookie made from the address does not open an interaction', async () => {
    const { page, uid } = await openSignIn(browser)
    const thief = portal.browser()
    thief.setCookie('interaction', uid, page)
    thief.setCookie('interaction.sig', 'x'.repeat(43), page)
    expect((await thief.get(page)).headers.location).toBe('/login')
  })

  test('cleared cookies and an unknown interaction lead to the start', async () => {
    const { page } = await openSignIn(browser)
    browser.forgetCookies()
    expect((await restartedAt(page)).url).toMatch(/^\/interaction\//)
    expect((await restartedAt('/interaction/nobody-knows-this')).url).toMatch(/^\/interaction\//)
    expect((await restartedAt('/oidc/auth/nobody-knows-this')).url).toMatch(/^\/interaction\//)
  })

  test('a page without an address leads to the step that asks for it', async () => {
    const { page } = await openSignIn(browser)
    expect((await browser.get(`${page}/login`)).headers.location).toBe(page)
  })
})

describe('where a sign-in ends', () => {
  test.each(['//evil.example', '/\\evil.example', 'https://evil.example', '/%2Fevil.example'])(
    'is never another origin: %s',
    async (returnTo) => {
      const { email } = await portal.person()
      const { page } = await openSignIn(browser, `/login?${new URLSearchParams({ returnTo })}`)
      expect(await finishSignIn(browser, page, email)).toBe('/')
    },
  )

  test('is the start for a state of another browser, a forged one, and none', async () => {
    const { uid } = await openSignIn(browser, '/login?returnTo=/account')
    const { payload } = await portal.system.db
      .selectFrom('providerArtifacts')
      .select('payload')
      .where('idHash', '=', hashId(uid))
      .executeTakeFirstOrThrow()
    const { state } = (payload as { params: { state: string } }).params
    expect((await browser.get(`/signed-in?state=${state}`)).headers.location).toBe('/account')
    const forged = `${Buffer.from('/users').toString('base64url')}.${state.split('.')[1]}`
    expect((await browser.get(`/signed-in?state=${forged}`)).headers.location).toBe('/')
    expect((await browser.get('/signed-in')).headers.location).toBe('/')
    expect((await portal.browser().get(`/signed-in?state=${state}`)).headers.location).toBe('/')
  })
})

describe('the sign-in pages', () => {
  test('are never stored, name the address as text, and post to this origin', async () => {
    const { page } = await openSignIn(browser)
    const response = await browser.get(
      `${page}/login?${new URLSearchParams({ email: '"><script>alert(1)</script>@x.se' })}`,
    )
    expect(response.statusCode).toBe(200)
    expect(response.headers['cache-control']).toBe('no-store')
    expect(response.headers['content-security-policy']).toContain("form-action 'self'")
    expect(response.body).not.toContain('<script>alert')
  })

  test('refuse a form from another origin', async () => {
    const { email } = await portal.person()
    const { page } = await openSignIn(browser)
    const response = await browser.submit(
      `${page}/login`,
      { email, password: testPassword },
      { 'sec-fetch-site': 'cross-site' },
    )
    expect(response.statusCode).toBe(403)
    expect((await browser.get('/api/me')).statusCode).toBe(401)
  })

  test('refuse a NUL, an unknown field and a huge body without a failure of ours', async () => {
    const { page } = await openSignIn(browser)
    expect((await browser.submit(`${page}/login`, { email: 'a\u0000@x.se', password: 'x' })).statusCode).toBe(422)
    expect((await browser.submit(`${page}/login`, { email: 'a@x.se', admin: 'yes' })).statusCode).toBe(422)
    expect(
      (await browser.submit(`${page}/login`, { email: 'a@x.se', password: 'x'.repeat(1_000_000) })).statusCode,
    ).toBe(413)
    expect((await browser.get(`/login?email=${encodeURIComponent('a\u0000@x.se')}`)).statusCode).toBe(303)
    expect(
      (
        await browser.get(
          '/oidc/auth?client_id=portal&state=%00&login_hint=%00&response_type=none&scope=openid&redirect_uri=http%3A%2F%2Fportal.test%2Fsigned-in',
        )
      ).statusCode,
    ).toBe(303)
    expect((await browser.get('/oidc/auth?client_id=%00')).statusCode).toBe(400)
  })
})
