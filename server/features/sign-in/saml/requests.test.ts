import { createVerify, X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { advanceKeyRotation, rotateKeys } from '#server/platform/secrets/key-rotation.ts'
import { createFederationReader } from '#server/saml/federation/federation.ts'
import { askCompany, type Company, company, companyAnswer, deliver, employee } from '#test/saml/company.ts'
import { type TestApp, testApp, testMasterKey } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await testApp()
})
afterAll(() => portal.close())

interface Wishes {
  requestSigningEnabled?: boolean
  wantAssertionsSigned?: boolean
  url?: string
}

/** A company with these settings. */
async function companyThat(wishes: Wishes): Promise<Company> {
  const acme = await company(portal)
  await portal.system.db.updateTable('samlConfigs').set(wishes).where('id', '=', acme.configId).execute()
  return acme
}

const metadataOf = ({ configId }: Company) => portal.browser().get(`/saml/${configId}/metadata`)
const certificatesIn = (metadata: string) =>
  [...metadata.matchAll(/<ds:X509Certificate>([^<]+)</g)].map(
    ([, base64 = '']) => new X509Certificate(Buffer.from(base64, 'base64')),
  )
/** True if the address has a signature of this certificate's key. */
function isSignedBy({ search }: URL, { publicKey }: X509Certificate): boolean {
  const [signed = '', signature = ''] = search.slice(1).split('&Signature=')
  return createVerify('sha256').update(signed).verify(publicKey, decodeURIComponent(signature), 'base64')
}

test('a company reads in our metadata who we are and where to answer', async () => {
  const acme = await companyThat({ wantAssertionsSigned: true })
  const { headers, body } = await metadataOf(acme)
  expect(headers['content-type']).toMatch('application/samlmetadata+xml')
  const own = `http://portal.test/saml/${acme.configId}`
  expect(body).toContain(`entityID="${own}/metadata"`)
  expect(body).toContain(`Location="${own}/acs"`)
  expect(body).toContain('WantAssertionsSigned="true"')
  expect(body).toContain('AuthnRequestsSigned="false"')
  expect(certificatesIn(body)).toEqual([])
  expect(body).not.toContain('EncryptionMethod')
})

test('our metadata says who runs the portal, in Swedish and English, and is signed where that is asked for', async () => {
  const acme = await companyThat({ wantAssertionsSigned: false })
  const { body } = await metadataOf(acme)
  for (const part of [
    ...[
      '<mdui:DisplayName xml:lang="sv">',
      '<mdui:DisplayName xml:lang="en">',
      '<mdui:Logo height="64" width="64">http://portal.test/',
    ],
    ...['<md:OrganizationName xml:lang="sv">', '<md:OrganizationURL xml:lang="en">http://portal.test<'],
    ...[
      '<md:ContactPerson contactType="technical">',
      '<md:ContactPerson contactType="support">',
      '<md:EmailAddress>mailto:',
    ],
  ])
    expect(body).toContain(part)
  expect(body).not.toContain('Signature')
  const signed = (await portal.browser().get(`/saml/${acme.configId}/metadata?signed=true`)).body
  const [, base64 = ''] = /<ds:X509Certificate>([^<]+)</.exec(signed) ?? []
  const certificate = `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----`
  const entityId = `http://portal.test/saml/${acme.configId}/metadata`
  const reader = createFederationReader({ entityId, signer: certificate, now: portal.now() })
  reader.write(Buffer.from(signed))
  expect(reader.end()).toContain(`entityID="${entityId}"`)
})

test('the metadata of a missing company gives 404', async () => {
  for (const id of ['1000000', '0', '-1', '1e3', '99999999999', 'x'])
    expect((await portal.browser().get(`/saml/${id}/metadata`)).statusCode).toBe(404)
})

test('a request has its time and destination, and contains nothing useful to others', async () => {
  const acme = await companyThat({ url: 'https://idp.example/sso?tenant=1' })
  const { request, sentTo, relayState, acsUrl, audience } = await askCompany(portal, portal.browser(), acme)
  expect(sentTo.searchParams.get('tenant')).toBe('1')
  expect(sentTo.searchParams.has('Signature')).toBe(false)
  expect(request).toContain(`IssueInstant="${portal.now().toISOString()}"`)
  expect(request).toContain('Destination="https://idp.example/sso?tenant=1"')
  expect([acsUrl, audience]).toEqual([
    `http://portal.test/saml/${acme.configId}/acs`,
    `http://portal.test/saml/${acme.configId}/metadata`,
  ])
  expect(relayState).toMatch(/^[\w-]{43}$/)
})

test('a request to a company that wants it signed is signed with the certificate of the metadata', async () => {
  const acme = await companyThat({ requestSigningEnabled: true })
  const { body } = await metadataOf(acme)
  expect(body).toContain('AuthnRequestsSigned="true"')
  const [certificate, ...others] = certificatesIn(body)
  expect(others).toEqual([])
  if (!certificate) throw new Error('no certificate')
  expect(certificate.checkIssued(certificate) && certificate.verify(certificate.publicKey)).toBe(true)
  expect(certificate.publicKey.asymmetricKeyDetails?.modulusLength).toBe(2048)
  const years = new Date(certificate.validTo).getUTCFullYear() - new Date(certificate.validFrom).getUTCFullYear()
  expect(years).toBe(10)
  const { sentTo } = await askCompany(portal, portal.browser(), acme)
  expect(sentTo.searchParams.get('SigAlg')).toBe('http://www.w3.org/2001/04/xmldsig-more#rsa-sha256')
  expect(isSignedBy(sentTo, certificate)).toBe(true)
  expect(isSignedBy(new URL(sentTo.href.replace('RelayState=', 'RelayState=x')), certificate)).toBe(false)
})

test('a company has three months to install a new certificate: until then the old key signs, in every process', async () => {
  const { db, keys } = portal.system
  const acme = await companyThat({ requestSigningEnabled: true })
  const [old] = certificatesIn((await metadataOf(acme)).body)
  const step = async (seconds: number) => {
    portal.advance(seconds)
    await advanceKeyRotation({ db, keys, now: portal.now() })
    return certificatesIn((await metadataOf(acme)).body).map(({ fingerprint256 }) => fingerprint256)
  }
  await rotateKeys({ db, masterKey: testMasterKey, purpose: 'samlSigning', now: portal.now() })
  const [first, second] = await step(301)
  expect(first).toBe(old?.fingerprint256)
  expect(second).toBeDefined()
  const node = await portal.anotherNode()
  const there = await node.browser().get(`/saml/${acme.configId}/metadata`)
  expect(certificatesIn(there.body).map(({ fingerprint256 }) => fingerprint256)).toEqual([first, second])
  await node.close()
  const { sentTo } = await askCompany(portal, portal.browser(), acme)
  expect(old && isSignedBy(sentTo, old)).toBe(true)
  expect(await step(90 * 86_400)).toEqual([second])
})

test('too many sign-ins from one IP address are refused on the sign-in page', async () => {
  const strict = await testApp({ LIMIT_SAML_SIGN_IN: '2/60' })
  try {
    const acme = await company(strict)
    const browser = strict.browser()
    const { uid } = await askCompany(strict, browser, acme)
    const begin = () => browser.get(`/interaction/${uid}/saml?email=somebody@${acme.mailDomain}`)
    expect((await begin()).headers.location).toMatch(`https://idp.${acme.mailDomain}/`)
    expect((await begin()).headers.location).toMatch(/^\/interaction\/[\w-]+\?email=.*&error=tooManyRequests$/)
  } finally {
    await strict.close()
  }
})

test('refused responses record a limited number of events per IP address, and do not block valid sign-ins', async () => {
  const strict = await testApp({ LIMIT_SAML_FAILURES: '2/300' })
  try {
    const acme = await company(strict)
    const { email } = await employee(strict, acme)
    const answered = async (nameId: string) => {
      const browser = strict.browser()
      const asked = await askCompany(strict, browser, acme)
      const answer = await deliver(strict, acme, companyAnswer(acme, asked, { nameId }), asked.relayState)
      await browser.follow(answer)
      return { browser, location: String(answer.headers.location) }
    }
    const said = []
    for (let time = 0; time < 3; time++)
      said.push(/error=(\w+)/.exec((await answered('nobody@x.example')).location)?.[1])
    expect(said).toEqual(['samlRefused', 'samlRefused', 'tooManyRequests'])
    const events = await strict.system.db
      .selectFrom('auditEvents')
      .select('id')
      .where('name', '=', 'loginFailure')
      .execute()
    expect(events).toHaveLength(2)
    const { browser } = await answered(email)
    expect((await browser.get('/api/me')).json()).toMatchObject({ email })
  } finally {
    await strict.close()
  }
})
