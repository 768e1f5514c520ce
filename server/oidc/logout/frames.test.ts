import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '#test/client.ts'
import { servicesOf, signedOut } from '#test/service.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

// OpenID Connect Front-Channel Logout 1.0: what the browser opens where somebody signs out in it.

let portal: TestApp
let services: ReturnType<typeof servicesOf>
beforeAll(async () => {
  portal = await testApp()
  services = servicesOf(portal)
})
afterAll(() => portal.close())

const frontchannelLogoutUri = 'https://journal.example/leave?by=portal'
const register = () => services.register({ frontchannelLogoutUri })

async function signedIn() {
  const clientId = await register()
  const { browser, tokens } = await services.signInTo(clientId, await portal.person())
  return { clientId, browser, idToken: tokens.id_token, sid: String(decodeJwt(tokens.id_token).sid) }
}
const told = async (browser: Client) => (await browser.get('/signed-out/services')).json()
const frameOf = (sid: string) =>
  `https://journal.example/leave?by=portal&iss=${encodeURIComponent('http://portal.test/oidc')}&sid=${sid}`

test('the metadata says so', async () => {
  expect((await portal.browser().get('/oidc/.well-known/openid-configuration')).json()).toMatchObject({
    frontchannel_logout_supported: true,
    frontchannel_logout_session_supported: true,
  })
})

test('the page after a sign-out opens the address of a service with issuer and session, and may open no other', async () => {
  const { browser, sid } = await signedIn()
  expect((await browser.submit('/logout', {})).headers.location).toBe('/signed-out')
  const page = await browser.get('/signed-out', { accept: 'text/html' })
  expect(page.headers['content-security-policy']).toContain("frame-src 'self' https://journal.example;")
  expect(page.headers.refresh).toBeUndefined()
  expect(await told(browser)).toEqual({
    services: [{ name: 'Journal', state: 'untold', frame: frameOf(sid) }],
    onward: null,
  })
  // Another browser, and a cookie that was made up.
  const other = portal.browser()
  other.setCookie('signed-out', 'x.aHR0cHM6Ly9ldmlsLmV4YW1wbGU')
  const nothing = await other.get('/signed-out', { accept: 'text/html' })
  expect(nothing.headers['content-security-policy']).toContain("frame-src 'self';")
  expect(nothing.headers.refresh).toBeUndefined()
  expect(await told(other)).toEqual({ services: [], onward: null })
})

test('a sign-out that a service asks for goes on to it once the frames had their time', async () => {
  const { browser, idToken, sid } = await signedIn()
  const hint = { id_token_hint: idToken, post_logout_redirect_uri: signedOut, state: 'bye' }
  const out = await browser.get(`/oidc/session/end?${new URLSearchParams(hint)}`, { accept: 'text/html' })
  expect(out.headers.location).toBe('/signed-out')
  const page = await browser.get('/signed-out', { accept: 'text/html' })
  expect(page.headers.refresh).toBe(`3;url=${signedOut}?state=bye`)
  expect(await told(browser)).toMatchObject({ services: [{ frame: frameOf(sid) }], onward: `${signedOut}?state=bye` })
})

test('a service without such an address gets no frame, and the browser goes straight on', async () => {
  const { browser, tokens } = await services.signInTo(await services.register(), await portal.person())
  const hint = { id_token_hint: tokens.id_token, post_logout_redirect_uri: signedOut }
  const out = await browser.get(`/oidc/session/end?${new URLSearchParams(hint)}`, { accept: 'text/html' })
  expect(out.headers.location).toBe(signedOut)
  expect(await told(browser)).toMatchObject({ services: [{ state: 'untold', frame: null }], onward: null })
})

describe('the address', () => {
  const save = async (form: object) => {
    const root = await portal.signedIn(await portal.person({ superUser: true }))
    const { serviceId } = await portal.service()
    return root.put(`/api/services/${serviceId}/client`, form)
  }
  const web = { kind: 'web', redirectUris: ['https://journal.example/callback'] }

  test('is on the origin of a redirect address, so that the page opens no other', async () => {
    expect((await save({ ...web, frontchannelLogoutUri })).json()).toMatchObject({ frontchannelLogoutUri })
    for (const wrong of ['https://other.example/leave', 'https://journal.example:8443/leave'])
      expect((await save({ ...web, frontchannelLogoutUri: wrong })).json().issues).toEqual([
        { path: 'frontchannelLogoutUri', message: 'frontchannelLogoutOrigin' },
      ])
    const script = await save({ ...web, frontchannelLogoutUri: 'javascript:alert(1)' })
    expect(script.json().issues).toEqual([{ path: 'frontchannelLogoutUri', message: 'clientAddressInvalid' }])
  })

  test('is for services with pages: a single-page app has no other way, a machine none', async () => {
    expect((await save({ ...web, kind: 'singlePage', frontchannelLogoutUri })).statusCode).toBe(200)
    const machine = await save({ kind: 'machine', frontchannelLogoutUri })
    expect(machine.json().issues).toContainEqual({ path: 'frontchannelLogoutUri', message: 'notForClientKind' })
  })
})
