import { X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { advanceKeyRotation, rotateKeys } from '#server/platform/secrets/key-rotation.ts'
import type { Client } from '#test/client.ts'
import { proveAgain } from '#test/sign-in.ts'
import { type TestApp, testApp, testMasterKey } from '#test/test-app.ts'
import { findOidcConfig, listEndingCertificates, unsealClientSecret } from './saml-configs.ts'

let portal: TestApp
let root: Client
beforeAll(async () => {
  portal = await testApp()
  root = await portal.signedIn(await portal.person({ superUser: true }))
})
afterAll(() => portal?.close())

const form = {
  name: 'Acme',
  url: 'https://login.acme.example',
  domain: 'https://acme.example',
  clientId: 'portal-at-acme',
  clientSecret: 'secret-that-is-only-written',
}
const created = async (changed: object = {}) => (await root.post('/api/oidc-configs', { ...form, ...changed })).json()
const change = (id: number, changed: object) => root.put('/api/oidc-configs', { id, ...changed })
const secretOf = async (id: number) => {
  const saved = await findOidcConfig(portal.system.db, id)
  return saved && unsealClientSecret(portal.system.keys, saved)
}

test('a super user adds, changes and deletes one; the secret is in no answer and in no event', async () => {
  const { clientSecret, ...shown } = form
  const added = await created()
  expect(added).toMatchObject({ ...shown, kind: 'oidc', active: true })
  const { id } = added
  portal.advance(60)
  const answers = [
    await root.get('/api/saml-configs'),
    await root.get(`/api/saml-configs/${id}`),
    await change(id, { clientSecret: 'another-secret' }),
    await change(id, { name: 'Acme 2', active: false }),
    await root.delete(`/api/saml-configs/${id}`),
  ]
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 204])
  const [list, one, newSecret] = answers.slice(0, 3).map((answer) => answer.json())
  expect(list).toMatchObject([{ id, kind: 'oidc', name: 'Acme' }])
  expect(one.certificates).toEqual([])
  expect(one).toMatchObject({ serviceProvider: { redirectUri: `http://portal.test/company-oidc/${id}/callback` } })
  const events = await portal.system.db
    .selectFrom('auditEvents')
    .select(['name', 'changes'])
    .where('targetId', '=', String(id))
    .orderBy('id')
    .execute()
  expect(events.map(({ name }) => name)).toEqual([
    'createSamlConfig',
    'updateSamlConfig',
    'updateSamlConfig',
    'deleteSamlConfig',
  ])
  expect(events[0]?.changes).toContainEqual({ property: 'protocol', previousValue: null, newValue: 'oidc' })
  expect(JSON.stringify(events[0]?.changes)).not.toContain('Signed')
  expect(events[1]?.changes).toEqual([
    { property: 'credentialSetAt', previousValue: added.clientSecretSetAt, newValue: newSecret.clientSecretSetAt },
  ])
  const all = JSON.stringify([events, answers.map(({ body }) => body), portal.logged])
  for (const secret of [clientSecret, 'another-secret']) expect(all).not.toContain(secret)
})

test('without a secret the present one stays, but it goes to no other issuer', async () => {
  const { id } = await created()
  expect((await change(id, { name: 'Acme 2', clientSecret: '' })).statusCode).toBe(200)
  expect(await secretOf(id)).toBe(form.clientSecret)
  const moved = { url: 'https://attacker.example' }
  for (const answer of [
    await change(id, moved),
    await root.post('/api/oidc-configs/test', { ...form, ...moved, id, clientSecret: null }),
  ]) {
    expect(answer.statusCode).toBe(422)
    expect(answer.json().issues).toEqual([{ path: 'clientSecret', message: 'secretOfOtherIssuer' }])
  }
  expect((await change(id, { ...moved, clientSecret: 'of-the-other' })).json()).toMatchObject(moved)
  expect(await secretOf(id)).toBe('of-the-other')
})

test('the address of the discovery document will do, a form without what it needs will not', async () => {
  const { url } = await created({ url: 'https://a.example/tenant/.well-known/openid-configuration' })
  expect(url).toBe('https://a.example/tenant')
  for (const [changed, path] of [
    [{ clientSecret: '' }, 'clientSecret'],
    [{ clientId: ' ' }, 'clientId'],
    [{ url: 'https://a.example/?x=1' }, 'url'],
    [{ domain: 'https://se' }, 'domain'],
  ] as const)
    expect((await root.post('/api/oidc-configs', { ...form, ...changed })).json().issues).toMatchObject([{ path }])
})

test('an older form is refused, a rotation of keys keeps the secret, and no mail is about a certificate', async () => {
  const { id, version } = await created()
  await change(id, { name: 'Acme 3' })
  expect((await change(id, { name: 'Acme 4', version })).statusCode).toBe(409)
  const { db, keys, clock } = portal.system
  const sealedNow = async () => (await findOidcConfig(db, id))?.clientSecretSealed?.toString('hex')
  const before = await sealedNow()
  await rotateKeys({ db, masterKey: testMasterKey, purpose: 'fields', now: portal.now() })
  portal.advance(600)
  await proveAgain(root)
  await advanceKeyRotation({ db, keys, now: portal.now() })
  expect(await sealedNow()).not.toBe(before)
  expect(await secretOf(id)).toBe(form.clientSecret)
  expect(await listEndingCertificates(db, clock())).toEqual([])
})

test('the key of the portal takes the place of a secret, and a secret that of the key', async () => {
  const { id } = await created({ clientKey: true, clientSecret: null })
  const read = async () => (await root.get(`/api/saml-configs/${id}`)).json()
  expect(await read()).toMatchObject({ clientKey: true, clientSecretSetAt: null })
  const { serviceProvider } = await read()
  expect(serviceProvider).toMatchObject({ jwksUri: 'http://portal.test/company-oidc/jwks' })
  const { keys } = (await portal.browser().get('/company-oidc/jwks')).json()
  expect(new X509Certificate(serviceProvider.certificate).raw.toString('base64')).toBe(keys[0].x5c[0])
  expect(JSON.stringify(keys)).not.toContain('"d"')
  const without = await change(id, { clientKey: false })
  expect([without.statusCode, without.json().issues]).toEqual([422, [{ path: 'clientSecret', message: 'required' }]])
  expect((await change(id, { clientKey: false, clientSecret: 'secret' })).json()).toMatchObject({ clientKey: false })
  expect(await secretOf(id)).toBe('secret')
  expect((await change(id, { clientKey: true })).json()).toMatchObject({ clientKey: true, clientSecretSetAt: null })
  expect(await secretOf(id)).toBeNull()
  // No secret is sent anywhere: the issuer may change.
  expect((await change(id, { url: 'https://login.berg.example' })).statusCode).toBe(200)
  const [event] = await portal.system.db
    .selectFrom('auditEvents')
    .select('changes')
    .where('targetId', '=', String(id))
    .where('name', '=', 'updateSamlConfig')
    .execute()
  expect(event?.changes).toContainEqual({ property: 'clientKey', previousValue: 'true', newValue: 'false' })
})
