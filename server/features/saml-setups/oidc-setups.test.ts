import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OpenSetup } from '#contract/saml-setups/saml-setups.ts'
import type { Client } from '#test/client.ts'
import { craftedProvider, rightClaims } from '#test/company-oidc/crafted-provider.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

const crafted = await craftedProvider()
let portal: TestApp
let root: Client
beforeAll(async () => {
  portal = await testApp({ LIMIT_SAML_SETUP: '1000/60' })
  root = await portal.signedIn(await portal.person({ superUser: true }))
})
afterAll(async () => {
  crafted.close()
  await portal?.close()
})

const secret = 'a-secret-of-the-company'
const given = { url: crafted.issuer, clientId: 'portal', clientSecret: secret }

/** A link of a new organisation, and the browser of its IT, which has no account. */
async function linked() {
  const { organizationId } = await portal.organization()
  const { url, setupId } = (await root.post('/api/saml-setups', { organizationId })).json()
  const token = new URL(url).pathname.split('/')[2] ?? ''
  const it = portal.browser()
  const call = (what: string, more: object = {}) => it.post(`/api/saml-setup${what}`, { token, ...more })
  const found = async (): Promise<OpenSetup> => (await call('')).json()
  return { organizationId, setupId, it, call, found }
}
type Linked = Awaited<ReturnType<typeof linked>>

/** Runs a test as the provider answers it. @returns what the IT then sees */
async function tested({ call, found, it }: Linked, claims: object): Promise<OpenSetup> {
  const begun = await call('/test')
  expect(begun.statusCode, begun.body).toBe(200)
  const asked = new URL(begun.json().url).searchParams
  crafted.idToken = await crafted.sign({ ...rightClaims(crafted.issuer, asked.get('nonce') ?? ''), ...claims })
  const query = new URLSearchParams({ code: 'c', state: asked.get('state') ?? '', iss: crafted.issuer })
  const { pathname } = new URL((await found()).serviceProvider?.redirectUri ?? '')
  const { headers } = await it.get(`${pathname}?${query}`, { 'sec-fetch-site': 'cross-site', accept: 'text/html' })
  const back = new URL(String(headers.location), 'http://portal.test')
  expect(back.pathname).toBe('/saml-setup')
  return (await call('', { ticket: back.searchParams.get('ticket') })).json()
}

const decided = { name: 'Acme', domain: 'https://acme.example', active: true }

test('the IT of an organisation gives its OpenID Provider by a link, tests it and hands it in; a super user approves it', async () => {
  const link = await linked()
  const answer = await link.call('/oidc', given)
  expect(answer.json().draft).toMatchObject({ kind: 'oidc', url: crafted.issuer, clientId: 'portal' })
  const shown = await tested(link, { email: 'eva@acme.example' })
  expect(shown.tested).toMatchObject({ passed: true })
  expect(shown.tested?.checks.map(({ check }) => check)).not.toContain('person')
  expect(shown.received).toMatchObject({ issuer: crafted.issuer, nameId: 'eva' })
  expect((await link.call('/hand-in', { version: shown.version })).statusCode).toBe(200)

  const path = `/api/saml-setups/${link.setupId}`
  const { version } = (await root.get(path)).json()
  const approved = await root.post(`${path}/approve`, { ...decided, version })
  expect(approved.statusCode, approved.body).toBe(200)
  const { id } = approved.json()
  const saved = (await root.get(`/api/saml-configs/${id}`)).json()
  expect(saved).toMatchObject({ kind: 'oidc', url: crafted.issuer, clientId: 'portal', active: true })
  expect(saved.organizations).toMatchObject([{ organizationId: link.organizationId, uses: false }])
  // The secret is the one that was given: another one would be a change.
  const again = { id, clientSecret: secret }
  expect((await root.put('/api/oidc-configs', again)).json().version).toBe(saved.version)
})

test('no answer, event or row has the secret in the clear, and it is gone when the link is revoked', async () => {
  const link = await linked()
  expect((await link.call('/oidc', given)).body).not.toContain(secret)
  expect(JSON.stringify(await link.found())).not.toContain(secret)
  expect((await root.get(`/api/saml-setups/${link.setupId}`)).body).not.toContain(secret)
  const stored = async () => {
    const row = await portal.system.db
      .selectFrom('samlSetups')
      .selectAll()
      .where('setupId', '=', link.setupId)
      .executeTakeFirstOrThrow()
    expect(JSON.stringify({ ...row, clientSecretSealed: row.clientSecretSealed?.toString('latin1') })).not.toContain(
      secret,
    )
    return row.clientSecretSealed
  }
  expect(await stored()).not.toBeNull()
  expect((await root.post(`/api/saml-setups/${link.setupId}/revoke`)).statusCode).toBe(204)
  expect(await stored()).toBeNull()
  const { rows } = await portal.system.pool.query('select changes::text from audit_events')
  expect(JSON.stringify(rows)).not.toContain(secret)
})

test('new details need a new test, and a secret where the portal’s key does not take its place', async () => {
  const link = await linked()
  await link.call('/oidc', given)
  expect((await tested(link, { email: 'eva@acme.example' })).tested).not.toBeNull()
  const without = await link.call('/oidc', { ...given, clientSecret: null })
  expect(without.json().issues).toEqual([{ path: 'clientSecret', message: 'required' }])
  const byKey = await link.call('/oidc', { ...given, clientSecret: null, clientKey: true })
  expect(byKey.json()).toMatchObject({ draft: { clientKey: true, clientSecretSetAt: null }, tested: null })
})

test('a provider that does not answer is told at its address, and an address that is not verified fails the test', async () => {
  const link = await linked()
  await link.call('/oidc', { ...given, url: 'http://127.0.0.1:1' })
  expect((await link.call('/test')).json().issues).toEqual([{ path: 'url', message: 'issuerNotReadable' }])
  await link.call('/oidc', given)
  const shown = await tested(link, { email: 'eva@acme.example', email_verified: false })
  expect(shown.tested).toMatchObject({ passed: false })
})
