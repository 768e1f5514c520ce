import { afterAll, beforeAll, expect, test } from 'vitest'
import { callback, secret, servicesOf } from '#test/service.ts'
import { finishSignIn } from '#test/sign-in.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

// RFC 9126: the service sends its request to the portal first, and the browser brings only a reference to it. ASP.NET Core
// does so wherever discovery has the address.
let portal: TestApp
let services: ReturnType<typeof servicesOf>
beforeAll(async () => {
  portal = await testApp()
  services = servicesOf(portal)
})
afterAll(() => portal?.close())

/** @returns where the service sends the browser */
async function push(clientId: string, more: Record<string, string> = {}): Promise<string> {
  const fields = { ...services.parametersFor(clientId, more), client_secret: secret }
  const answer = await portal.browser().submit('/oidc/request', fields, { accept: 'application/json' })
  expect(answer.statusCode, answer.body).toBe(201)
  return `/oidc/auth?${new URLSearchParams({ client_id: clientId, request_uri: answer.json().request_uri })}`
}

test('a service that pushes its request gets a code, after a sign-in and in a session', async () => {
  const clientId = await services.register()
  const person = await portal.person()
  const browser = portal.browser()
  const { url: page } = await browser.follow(await browser.get(await push(clientId), { accept: 'text/html' }))
  // The reference has ended by then, the sign-in has not.
  portal.advance(90)
  const end = await finishSignIn(browser, page.split('?')[0] ?? '', person.email)
  expect(end).toContain(`${callback}?code=`)
  expect(await services.tokensAt(clientId, end)).toHaveProperty('id_token')
  const { response } = await browser.follow(await browser.get(await push(clientId, { response_mode: 'form_post' })))
  expect(response.body).toMatch(/<form method="post" action="https:\/\/journal\.example\/callback">.*name="code"/s)
})

test('a pushed request waits for the choice of an organisation', async () => {
  const { serviceId } = await portal.service('Journal')
  const clientId = await services.register({ serviceId, scopes: ['openid', 'organization'] })
  const person = await portal.person()
  const homes = [await portal.organization(), await portal.organization()]
  for (const { organizationId } of homes) {
    await portal.offer(organizationId, serviceId)
    await portal.join(person.accountId, organizationId)
    await portal.assign(person.accountId, organizationId, serviceId)
  }
  const browser = await portal.signedIn(person)
  const { url } = await browser.follow(await browser.get(await push(clientId, { scope: 'openid organization' })))
  const asked = new URL(url, 'http://portal.test')
  expect(asked.pathname).toBe('/choose-organization')
  portal.advance(90)
  const again = new URL(asked.searchParams.get('returnTo') ?? '', 'http://portal.test')
  again.searchParams.set('organization_id', homes[1]?.organizationId ?? '')
  const { url: end } = await browser.follow(await browser.get(again.pathname + again.search))
  expect(end).toContain(`${callback}?code=`)
})

test('anyone can push in the name of a client without a secret, but not without end, and nobody pushes a lot at once', async () => {
  const guarded = await testApp({ LIMIT_PUSHED_REQUEST: '2/60' })
  try {
    const theirs = servicesOf(guarded)
    const stored = async () =>
      (await guarded.system.db.selectFrom('providerArtifacts').select('model').execute()).filter(
        ({ model }) => model === 'PushedAuthorizationRequest',
      ).length
    const pushed = (clientId: string, more: Record<string, string> = {}) =>
      guarded
        .browser()
        .submit('/oidc/request', { ...theirs.parametersFor(clientId), ...more }, { accept: 'application/json' })
    const page = await theirs.register({ kind: 'singlePage', tokenEndpointAuthMethod: 'none', secretSealed: null })
    const server = await theirs.register()

    expect((await pushed(page, { state: 'x'.repeat(16_000) })).statusCode).toBe(413)
    expect((await pushed(server, { client_secret: secret, state: 'x'.repeat(16_000) })).statusCode).toBe(413)
    expect(await stored()).toBe(0)

    for (const status of [201, 201, 429]) expect((await pushed(page)).statusCode).toBe(status)
    const refused = await pushed(page)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(await stored()).toBe(2)
    // A service's server pushes for all its people from one address.
    for (let count = 0; count < 4; count++)
      expect((await pushed(server, { client_secret: secret })).statusCode).toBe(201)
    guarded.advance(61)
    expect((await pushed(page)).statusCode).toBe(201)
  } finally {
    await guarded.close()
  }
})
