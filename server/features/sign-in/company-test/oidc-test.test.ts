import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SamlTestResult } from '#contract/saml-configs/saml-tests.ts'
import type { Client } from '#test/client.ts'
import { craftedProvider, rightClaims } from '#test/company-oidc/crafted-provider.ts'
import { openSignIn } from '#test/sign-in.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

const crafted = await craftedProvider()
const form = {
  name: 'Acme',
  url: crafted.issuer,
  domain: 'https://acme.example',
  clientId: 'portal',
  clientSecret: 'a-secret-of-the-company',
  active: false,
}

let portal: TestApp
let root: Client
let id: number
let redirectUri: URL
beforeAll(async () => {
  portal = await testApp()
  root = await portal.signedIn(await portal.person({ superUser: true }))
  id = (await root.post('/api/oidc-configs', form)).json().id
  redirectUri = new URL((await root.get(`/api/saml-configs/${id}`)).json().serviceProvider.redirectUri)
})
afterAll(async () => {
  crafted.close()
  await portal?.close()
})

const begin = async (changed: object = {}) => {
  const answer = await root.post('/api/oidc-configs/test', { ...form, clientSecret: null, id, ...changed })
  return new URL(answer.json().url).searchParams
}

/** The provider's answer to a test, at the address of the configuration. */
async function answerTo(asked: URLSearchParams, claims: object, client: Client = root) {
  crafted.idToken = await crafted.sign({ ...rightClaims(crafted.issuer, asked.get('nonce') ?? ''), ...claims })
  const query = new URLSearchParams({ code: 'c', state: asked.get('state') ?? '', iss: crafted.issuer })
  return client.get(`${redirectUri.pathname}?${query}`, { 'sec-fetch-site': 'cross-site', accept: 'text/html' })
}
const resultAt = (location: unknown) =>
  `/api/saml-configs/${id}/test-result${new URL(String(location), 'http://portal.test').search}`
async function tested(claims: object, changed: object = {}): Promise<SamlTestResult> {
  const { headers } = await answerTo(await begin(changed), claims)
  expect(headers.location).toMatch(new RegExp(`^/saml-configuration/${id}/test\\?ticket=`))
  return (await root.get(resultAt(headers.location))).json()
}
const statuses = ({ checks }: SamlTestResult) =>
  Object.fromEntries(checks.map(({ check, status, failure }) => [check, failure ? `${status}: ${failure}` : status]))

const allPassed = {
  answer: 'passed',
  signature: 'passed',
  issuer: 'passed',
  request: 'passed',
  audience: 'passed',
  time: 'passed',
  attributes: 'passed',
  person: 'passed',
}

test('a super user sees every check passed, what came and whom it would sign in; nobody is signed in', async () => {
  const person = await portal.person({ email: 'eva@acme.example', loginMethod: 'saml', samlConfigId: id })
  const { organizationId } = await portal.organization()
  await portal.system.db
    .updateTable('organizations')
    .set({ loginMethod: 'saml', samlConfigId: id })
    .where('organizationId', '=', organizationId)
    .execute()
  await portal.join(person.accountId, organizationId)
  const result = await tested({ email: person.email, groups: ['a', 'b'], note: '19121212-1212' })
  expect(statuses(result)).toEqual(allPassed)
  expect(result).toMatchObject({ kind: 'oidc', passed: true, active: false, saved: true, person })
  expect(result.received).toMatchObject({ issuer: crafted.issuer, nameId: 'eva' })
  expect(result.received?.attributes).toContainEqual({ name: 'groups', values: ['a', 'b'] })
  expect(result.received?.attributes).toContainEqual({ name: 'note', values: ['19121212-****'] })
  const { headers } = await answerTo(await begin(), { email: person.email }, portal.browser())
  const browser = portal.browser()
  const { uid } = await openSignIn(browser)
  const ticket = new URL(String(headers.location), 'http://portal.test').searchParams.get('ticket')
  await browser.follow(await browser.get(`/interaction/${uid}/saml/complete?ticket=${ticket}`))
  expect((await browser.get('/api/me')).statusCode).toBe(401)
  expect((await root.get(`/api/saml-configs/${id}/sign-ins`)).json()).toEqual([])
})

test.each<[string, object, Record<string, string>]>([
  ['another audience', { aud: 'another' }, { audience: 'failed: audience', signature: 'notChecked' }],
  ['another nonce', { nonce: 'another' }, { request: 'failed: otherRequest' }],
  ['no address', {}, { signature: 'passed', attributes: 'failed: attributes', person: 'notChecked' }],
  ['an unknown person', { email: 'new@acme.example' }, { attributes: 'passed', person: 'warning: unknownPerson' }],
])('%s is named', async (_, claims, found) => {
  expect(statuses(await tested(claims))).toMatchObject(found)
})

test('an address counts in a further domain once that is proven, unless the provider calls it unverified', async () => {
  const claims = { email: 'new@further.example' }
  const input = { domain: 'further.example' }
  await root.post(`/api/saml-configs/${id}/domains`, input)
  expect(statuses(await tested(claims))).toMatchObject({ attributes: 'failed: attributes' })
  await root.post(`/api/saml-configs/${id}/domains/confirm`, { ...input, reason: 'Their registrar wrote to us' })
  expect(statuses(await tested(claims))).toMatchObject({ attributes: 'passed', person: 'warning: unknownPerson' })
  expect(statuses(await tested({ ...claims, email_verified: false }))).toMatchObject({
    attributes: 'failed: attributes',
  })
})

test('unsaved values are tested and stay unsaved; a test with another secret is not of the saved values', async () => {
  const { email } = { email: 'eva@acme.example' }
  expect(await tested({ email }, { clientSecret: 'typed-just-now' })).toMatchObject({ passed: true, saved: false })
  expect(await tested({ email, aud: 'other' }, { clientId: 'other' })).toMatchObject({ passed: true, saved: false })
  expect((await root.get(`/api/saml-configs/${id}`)).json()).toMatchObject({ clientId: 'portal', version: 1 })
  const kept = JSON.stringify(await portal.system.db.selectFrom('oneTimeThings').select('data').execute())
  for (const secret of [form.clientSecret, 'typed-just-now']) expect(kept).not.toContain(secret)
})

test('the result is for the session that began it, an answer is good once, and at its own configuration', async () => {
  const asked = await begin()
  const other = (await root.post('/api/oidc-configs', { ...form, domain: 'https://other.example' })).json()
  const { pathname } = redirectUri
  redirectUri.pathname = pathname.replace(`/${id}/`, `/${other.id}/`)
  expect((await answerTo(asked, {})).headers.location).toContain('signInOver')
  redirectUri.pathname = pathname
  const { location } = (await answerTo(asked, {})).headers
  expect((await answerTo(asked, {})).headers.location).toContain('signInOver')
  const colleague = await portal.signedIn(await portal.person({ superUser: true }))
  expect((await colleague.get(resultAt(location))).statusCode).toBe(404)
  expect((await root.get(resultAt(location))).statusCode).toBe(200)
})

test('an issuer that cannot be read, or whose document is of another, is named before the test', async () => {
  for (const [url, message] of [
    ['http://127.0.0.1:9', 'issuerNotReadable'],
    [crafted.issuer.replace('127.0.0.1', 'localhost'), 'otherIssuerDiscovered'],
  ]) {
    const answer = await root.post('/api/oidc-configs/test', { ...form, id, url })
    expect(answer.statusCode).toBe(422)
    expect(answer.json().issues).toEqual([{ path: 'url', message }])
  }
})
