import { X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSamlMetadataJob } from '#server/features/saml-configs/read-watched-metadata.ts'
import type { Client } from '#test/client.ts'
import type { Person } from '#test/people.ts'
import { selfSigned } from '#test/saml/certificate.ts'
import { type Company, company, employee } from '#test/saml/company.ts'
import { encryptionCertificate } from '#test/saml/encrypted.ts'
import { type Samlp, serveSamlp } from '#test/saml/samlp.ts'
import { openSignIn } from '#test/sign-in.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let root: Client
let acme: Company
let eva: Person
let idp: Samlp
const first = selfSigned({ name: 'first' })
const second = selfSigned({ name: 'second' })
beforeAll(async () => {
  portal = await testApp()
  // The identity provider has a clock of its own.
  portal.advance(Math.round((Date.now() - portal.now().getTime()) / 1000))
  root = await portal.signedIn(await portal.person({ superUser: true }))
  acme = await company(portal, { key: first })
  eva = await employee(portal, acme)
  const acsUrl = `${portal.system.config.baseUrl}/saml/${acme.configId}/acs`
  idp = await serveSamlp({ key: first, email: eva.email, acsUrl })
  const logoutUrl = `${idp.issuer}/logout`
  await configure({ url: `${idp.issuer}/samlp`, entityId: `${idp.issuer}/samlp`, logoutUrl })
})
afterAll(async () => {
  idp?.close()
  await portal?.close()
})

const configure = async (changed: object) =>
  expect((await root.put('/api/saml-configs', { id: acme.configId, ...changed })).statusCode).toBe(200)
const isSignedIn = async (browser: Client) => (await browser.get('/api/me')).statusCode === 200
const fieldOf = (page: string, name: string) => new RegExp(`name="${name}"\\s+value="([^"]*)"`).exec(page)?.[1] ?? ''

/** Signs in through the identity provider. @returns the page that it ended on, or the session's browser */
async function signIn(changed: object = {}): Promise<{ browser: Client; sent: string; isIn: boolean }> {
  const usual = idp.options
  idp.options = { ...usual, ...changed }
  try {
    const browser = portal.browser()
    const { page } = await openSignIn(browser)
    const asked = await browser.get(`${page}/saml?${new URLSearchParams({ email: eva.email })}`)
    const answer = await fetch(String(asked.headers.location))
    const form = await answer.text()
    const SAMLResponse = fieldOf(form, 'SAMLResponse')
    const RelayState = fieldOf(form, 'RelayState')
    const crossSite = { 'sec-fetch-site': 'cross-site', origin: idp.issuer }
    const path = new URL(idp.options.acsUrl).pathname
    await browser.follow(await portal.browser().submit(path, { SAMLResponse, RelayState }, crossSite))
    return { browser, sent: Buffer.from(SAMLResponse, 'base64').toString(), isIn: await isSignedIn(browser) }
  } finally {
    idp.options = usual
  }
}
const lastFailure = async () => (await root.get(`/api/saml-configs/${acme.configId}/sign-ins`)).json()[0].failure

test.each([
  ['the assertion is signed', {}],
  ['the answer is signed as well', { signResponse: true }],
  ['the answer is signed alone', { signResponse: true, signAssertion: false }],
])('a person signs in where %s', async (_, options) => {
  expect(await signIn(options)).toMatchObject({ isIn: true })
})

test('an encrypted assertion is read, and one by AES-CBC is refused', async () => {
  const { publicKey, ...certificate } = { ...pemOf(await encryptionCertificate(portal, acme)) }
  const encryption = { encryptionCert: certificate.pem, encryptionPublicKey: publicKey }
  const encrypted = await signIn(encryption)
  expect(encrypted.sent).toContain('http://www.w3.org/2009/xmlenc11#aes256-gcm')
  expect(encrypted.sent).not.toContain(eva.email)
  expect(encrypted.isIn).toBe(true)
  const encryptionAlgorithm = 'http://www.w3.org/2001/04/xmlenc#aes256-cbc'
  const insecure = { disallowEncryptionWithInsecureAlgorithm: false, warnOnInsecureEncryptionAlgorithm: false }
  expect((await signIn({ ...encryption, encryptionAlgorithm, ...insecure })).isIn).toBe(false)
  expect(await lastFailure()).toBe('encrypted')
})

const pemOf = (der: Buffer) => {
  const certificate = new X509Certificate(der)
  const publicKey = certificate.publicKey.export({ type: 'spki', format: 'pem' }).toString()
  return { pem: certificate.toString(), publicKey }
}

/** Signs in, and lets the identity provider know the session, as its own session store would. */
async function signInWithSession(sessionIndex: string): Promise<Client> {
  const { browser, sent } = await signIn({ sessionIndex })
  const [, nameId = ''] = /<(?:saml:)?NameID[^>]*>([^<]+)</.exec(sent) ?? []
  const { body } = await portal.browser().get(`/saml/${acme.configId}/metadata`)
  const [, base64 = ''] = /use="signing">.*?<ds:X509Certificate>([^<]+)</s.exec(body) ?? []
  const { baseUrl } = portal.system.config
  idp.participants.push({
    serviceProviderId: `${baseUrl}/saml/${acme.configId}/metadata`,
    nameId,
    sessionIndex,
    serviceProviderLogoutURL: `${baseUrl}/saml/${acme.configId}/slo`,
    cert: pemOf(Buffer.from(base64, 'base64')).pem,
  })
  return browser
}

test('a sign-out there ends the session here, and is told so', async () => {
  const browser = await signInWithSession('_of-samlp')
  const begun = await fetch(`${idp.issuer}/logout`, { redirect: 'manual' })
  const [cookie = ''] = begun.headers.getSetCookie()
  const asked = new URL(begun.headers.get('location') ?? '')
  expect(asked.pathname).toBe(`/saml/${acme.configId}/slo`)
  const answer = await portal.browser().get(asked.pathname + asked.search, { 'sec-fetch-site': 'cross-site' })
  expect(await isSignedIn(browser)).toBe(false)
  // It verifies the signature of the answer, and has nobody left to sign out.
  const ended = await fetch(String(answer.headers.location), { headers: { cookie: cookie.split(';')[0] ?? '' } })
  expect([ended.status, await ended.text(), idp.participants]).toEqual([200, expect.not.stringContaining('rror'), []])
})

test('a sign-out here is taken there, and its answer leads back', async () => {
  const browser = await signInWithSession('_of-portal')
  const { headers } = await browser.submit('/logout', {})
  const page = await browser.get(String(headers.location), { accept: 'text/html' })
  const there = await fetch(String(page.headers.refresh).replace('0;url=', ''), { redirect: 'manual' })
  const back = new URL(there.headers.get('location') ?? '')
  expect([back.pathname, idp.participants]).toEqual([`/saml/${acme.configId}/slo`, []])
  const returned = await browser.get(back.pathname + back.search, { 'sec-fetch-site': 'cross-site' })
  expect(returned.headers.location).toBe('/signed-out')
})

test('a new key counts from the confirmation of the published metadata on, beside the old one until that is removed', async () => {
  const path = `/api/saml-configs/${acme.configId}/metadata`
  const runJob = () => createSamlMetadataJob({ ...portal.system, clock: () => portal.now() }).run()
  await root.put(path, { address: idp.metadata })
  await runJob()
  expect((await root.get(path)).json()).toMatchObject({ problem: null, newCertificates: [] })

  idp.options = { ...idp.options, key: second }
  expect((await signIn()).isIn).toBe(false)
  expect(await lastFailure()).toBe('signature')
  await runJob()
  const [{ fingerprint }] = (await root.get(path)).json().newCertificates
  expect((await signIn()).isIn).toBe(false)
  const { version, certificate } = (await root.get(`/api/saml-configs/${acme.configId}`)).json()
  await root.post(`${path}/confirm`, { fingerprints: [fingerprint], version })
  expect((await signIn()).isIn).toBe(true)
  expect((await signIn({ key: first })).isIn).toBe(true)

  const both = (await root.get(`/api/saml-configs/${acme.configId}`)).json().certificate
  await configure({ certificate: both.replace(certificate.trim(), '') })
  expect((await signIn({ key: first })).isIn).toBe(false)
  expect((await signIn()).isIn).toBe(true)
})
