import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { noSamlOptions } from '#contract/saml-configs/saml-options.ts'
import type { Client } from '#test/client.ts'
import { selfSigned } from '#test/saml/certificate.ts'
import { askCompany, company, companyAnswer, deliver, employee } from '#test/saml/company.ts'
import { openSignIn } from '#test/sign-in.ts'
import { type TestApp, testApp } from '#test/test-app.ts'
import { samlConfigsHandlers } from './saml-configs.handlers.ts'

let portal: TestApp
let root: Client

beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '1000000/60' })
  root = await portal.signedIn(await portal.person({ superUser: true }))
})
afterAll(() => portal?.close())

const key = selfSigned({ name: 'idp.acme.example' })
const form = {
  name: 'Acme',
  entityId: 'https://idp.acme.example/metadata',
  url: 'https://idp.acme.example/sso',
  logoutUrl: 'https://idp.acme.example/slo',
  domain: 'https://acme.example',
  certificate: key.certificate.trim(),
  wantAssertionsSigned: true,
  wantAuthnResponseSigned: false,
  requestSigningEnabled: false,
  postRequests: false,
  postLogout: false,
  logoutResponseUrl: null,
  cbcAllowed: false,
  clockSkewSeconds: 30,
  encryptionEnabled: false,
  assertsNumbers: false,
  ...noSamlOptions,
}
const created = async (changed: object = {}) => (await root.post('/api/saml-configs', { ...form, ...changed })).json()
const eventsOf = (id: number) =>
  portal.system.db
    .selectFrom('auditEvents')
    .select(['name', 'target', 'changes'])
    .where('targetId', '=', String(id))
    .where('name', 'in', ['createSamlConfig', 'updateSamlConfig', 'deleteSamlConfig'])
    .orderBy('id')
    .execute()

describe('a super user', () => {
  test('adds, changes and deletes a configuration, with one event each', async () => {
    const added = await root.post('/api/saml-configs', { ...form, name: ' Acme ' })
    expect(added.statusCode).toBe(201)
    const { id, version, ...rest } = added.json()
    // A client that does not know the switch gets a configuration that works.
    expect(rest).toEqual({ ...form, active: true })
    const next = selfSigned({ name: 'idp.next.example' })
    const change = { ...form, id, certificate: next.certificate, requestSigningEnabled: true }
    expect((await root.put('/api/saml-configs', { ...change, version })).json()).toMatchObject({
      requestSigningEnabled: true,
      version: version + 1,
    })
    // Once more: nothing changes, and nothing is recorded.
    expect((await root.put('/api/saml-configs', change)).json().version).toBe(version + 1)
    expect((await root.delete(`/api/saml-configs/${id}`)).statusCode).toBe(204)
    expect((await root.get(`/api/saml-configs/${id}`)).statusCode).toBe(404)
    const which = expect.stringMatching(/^CN=idp\.acme\.example, SHA-256 ([0-9A-F]{2}:){31}[0-9A-F]{2}, /)
    expect(await eventsOf(id)).toEqual([
      expect.objectContaining({ name: 'createSamlConfig', target: 'Acme' }),
      {
        name: 'updateSamlConfig',
        target: 'Acme',
        changes: [
          { property: 'requestSigningEnabled', previousValue: 'false', newValue: 'true' },
          {
            property: 'certificate',
            previousValue: which,
            newValue: expect.stringMatching(/^CN=idp\.next\.example, /),
          },
        ],
      },
      expect.objectContaining({ name: 'deleteSamlConfig' }),
    ])
  })

  test('reads what the certificates are, and what the identity provider must know', async () => {
    const certificate = [
      selfSigned({ name: 'new', validTo: new Date(portal.now().getTime() + 300 * 86_400_000) }).certificate,
      selfSigned({ name: 'soon', validTo: new Date(portal.now().getTime() + 59 * 86_400_000) }).certificate,
      selfSigned({ name: 'old', validTo: new Date('2021-01-01') }).certificate,
      selfSigned({ name: 'next', validFrom: new Date('2048-01-01') }).certificate,
      selfSigned({ name: 'short', bits: 1024 }).certificate,
      '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----',
    ].join('')
    const { id } = await created({ certificate })
    const { certificates, serviceProvider } = (await root.get(`/api/saml-configs/${id}`)).json()
    expect(certificates.map(({ status, subject }: Record<string, unknown>) => [status, subject])).toEqual([
      ['valid', 'CN=new'],
      ['endsSoon', 'CN=soon'],
      ['expired', 'CN=old'],
      ['notYetValid', 'CN=next'],
      ['weakKey', 'CN=short'],
      ['unreadable', null],
    ])
    expect(certificates[2].validTo).toBe('2021-01-01T00:00:00.000Z')
    const { baseUrl } = portal.system.config
    expect(serviceProvider).toEqual({
      entityId: `${baseUrl}/saml/${id}/metadata`,
      acsUrl: `${baseUrl}/saml/${id}/acs`,
      sloUrl: `${baseUrl}/saml/${id}/slo`,
      startUrl: `${baseUrl}/login/company/${id}`,
      redirectUri: `${baseUrl}/company-oidc/${id}/callback`,
      jwksUri: `${baseUrl}/company-oidc/jwks`,
      certificate: expect.stringMatching(/^-----BEGIN CERTIFICATE-----\n/),
    })
    expect((await root.post('/api/saml-configs/check-certificates', { certificate })).json()).toEqual(certificates)
  })

  test('may leave out what is optional', async () => {
    const { name, url, domain, certificate } = form
    const added = await root.post('/api/saml-configs', { name, url, domain, certificate })
    expect(added.json()).toMatchObject({
      entityId: null,
      wantAssertionsSigned: false,
      wantAuthnResponseSigned: false,
      requestSigningEnabled: false,
    })
  })

  test('keeps what a change leaves out: the issuer and the demands on signatures', async () => {
    const { id } = await created({ name: 'Kept' })
    const changed = await root.put('/api/saml-configs', { id, name: 'Renamed' })
    expect(changed.json()).toMatchObject({ ...form, name: 'Renamed' })
  })

  test('cannot delete a configuration that an organisation or a person uses', async () => {
    const acme = await company(portal)
    const refused = await root.delete(`/api/saml-configs/${acme.configId}`)
    expect([refused.statusCode, refused.json().message]).toEqual([409, 'samlConfigInUse'])
    const samlConfigId = await portal.samlConfig()
    await portal.person({ loginMethod: 'saml', samlConfigId })
    const refusedToo = await root.delete(`/api/saml-configs/${samlConfigId}`)
    expect([refusedToo.statusCode, refusedToo.json().message]).toEqual([409, 'samlConfigInUse'])
    expect(await eventsOf(samlConfigId)).toEqual([])
  })

  test('gets 404 for a configuration that is missing, and for what is no id', async () => {
    for (const id of ['2000000000', '0', '-1', '1.5', '99999999999', 'none'])
      expect((await root.get(`/api/saml-configs/${id}`)).statusCode).toBe(404)
    expect((await root.put('/api/saml-configs', { ...form, id: 2_000_000_000 })).statusCode).toBe(404)
  })

  test('sorts the list by name, in the Swedish alphabet, and by domain', async () => {
    for (const [name, domain] of [
      ['Ödeby', 'https://a.sorted.example'],
      ['Älvby', 'https://c.sorted.example'],
      ['Zinkby', 'https://b.sorted.example'],
    ])
      await created({ name, domain })
    const names = async (query = '') =>
      (await root.get(`/api/saml-configs${query}`))
        .json()
        .filter(({ domain }: { domain: string }) => domain.endsWith('.sorted.example'))
        .map(({ name }: { name: string }) => name)
    expect(await names()).toEqual(['Zinkby', 'Älvby', 'Ödeby'])
    expect(await names('?sortDirection=desc')).toEqual(['Ödeby', 'Älvby', 'Zinkby'])
    expect(await names('?sort=domain')).toEqual(['Ödeby', 'Zinkby', 'Älvby'])
  })
})

test('of two super users who change the same version concurrently, one gets an error', async () => {
  const { id, version } = await created()
  const responses = await Promise.all(
    ['One', 'Two'].map((name) => root.put('/api/saml-configs', { ...form, id, version, name })),
  )
  expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
  expect(responses.find(({ statusCode }) => statusCode === 409)?.json().message).toBe('changedByOthers')
})

describe('a configuration', () => {
  const { certificate, privateKey } = key
  test.each([
    ['without a name', { name: ' ' }, 'name', 'required'],
    ['with an address that is none', { url: 'idp.acme.example' }, 'url', 'invalidUrl'],
    ['with an address of another kind', { url: 'ftp://idp.acme.example' }, 'url', 'invalidUrl'],
    ['without a domain', { domain: '' }, 'domain', 'required'],
    ['with a domain that is no address', { domain: 'acme.example' }, 'domain', 'invalidUrl'],
    ['with a domain of everybody', { domain: 'https://se' }, 'domain', 'invalidUrl'],
    ['with a number as its domain', { domain: 'https://127.0.0.1' }, 'domain', 'invalidUrl'],
    ['without a certificate', { certificate: '' }, 'certificate', 'required'],
    ['with words as a certificate', { certificate: 'none yet' }, 'certificate', 'certificateNotUsable'],
    [
      'with a short key',
      { certificate: selfSigned({ name: 'short', bits: 1024 }).certificate },
      'certificate',
      'certificateNotUsable',
    ],
    ['with a private key', { certificate: privateKey }, 'certificate', 'privateKeyGiven'],
    ['with a private key beside', { certificate: certificate + privateKey }, 'certificate', 'privateKeyGiven'],
  ])('%s is refused', async (_, changed, path, message) => {
    const response = await root.post('/api/saml-configs', { ...form, ...changed })
    expect(response.statusCode).toBe(422)
    expect(response.json().issues).toEqual([{ path, message }])
    expect(response.body).not.toContain('PRIVATE')
  })

  test('may have an empty line inside its certificate', async () => {
    const { id } = await created({ certificate: certificate.replace('\n-----END', '\n\n-----END') })
    expect((await root.get(`/api/saml-configs/${id}`)).json().certificates).toMatchObject([{ status: 'valid' }])
  })

  test('must name https in production', async () => {
    const { config, db } = portal.system
    const create = samlConfigsHandlers.create({
      db,
      config: { ...config, production: true },
      input: { ...form, url: 'http://idp.acme.example', domain: 'http://acme.example', logoutUrl: null },
      audit: () => {},
    } as unknown as Parameters<typeof samlConfigsHandlers.create>[0])
    await expect(create).rejects.toMatchObject({
      status: 422,
      issues: [
        { path: 'url', message: 'invalidUrl' },
        { path: 'domain', message: 'invalidUrl' },
      ],
    })
  })
})

describe('the next sign-in', () => {
  test.each([
    'https://åäö-bolaget.example',
    'HTTPS://XN---BOLAGET-ZZAJ2Q.example/',
    'https://ÅÄÖ-bolaget.example:8443',
  ])('of somebody in the domain %s goes to that company', async (domain) => {
    const { id } = await created({ domain, url: 'https://idp.umlaut.example/sso' })
    const browser = portal.browser()
    const { page } = await openSignIn(browser)
    const search = new URLSearchParams({ email: 'anna@it.åäö-bolaget.example' })
    const { headers } = await browser.get(`${page}/saml?${search}`, { accept: 'text/html' })
    expect(headers.location).toMatch(/^https:\/\/idp\.umlaut\.example\/sso\?/)
    await root.delete(`/api/saml-configs/${id}`)
  })

  test('counts on a changed certificate, even if it began before', async () => {
    const acme = await company(portal)
    const { email } = await employee(portal, acme)
    const rotated = { ...acme, key: selfSigned({ name: 'rotated' }) }
    const signIn = async (of: typeof acme, between = async () => {}) => {
      const browser = portal.browser()
      const asked = await askCompany(portal, browser, of)
      await between()
      const answer = await deliver(portal, of, companyAnswer(of, asked, { nameId: email }), asked.relayState)
      return String(answer.headers.location)
    }
    expect(await signIn(rotated)).toContain('error=samlFailed')
    const saved = (await root.get(`/api/saml-configs/${acme.configId}`)).json()
    const rotate = async () => {
      const input = { ...saved, certificate: rotated.key.certificate }
      expect((await root.put('/api/saml-configs', input)).statusCode).toBe(200)
    }
    expect(await signIn(rotated, rotate)).toContain('/saml/complete?ticket=')
    expect(await signIn(acme)).toContain('error=samlFailed')
  })
})

describe('metadata', () => {
  const base64 = (pem: string) => pem.replaceAll(/-----[^-]+-----|\s/g, '')
  const keyOf = (
    pem: string,
    use = '',
  ) => `<KeyDescriptor${use}><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#">
    <ds:X509Data><ds:X509Certificate>\n${base64(pem)}\n</ds:X509Certificate></ds:X509Data></ds:KeyInfo></KeyDescriptor>`
  const binding = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-'
  const metadataOf = (inside: string) => `<?xml version="1.0"?>\n<!-- exported -->
    <EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://idp.acme.example/metadata">${inside}</EntityDescriptor>`
  const provider = (inside: string) =>
    metadataOf(`<IDPSSODescriptor WantAuthnRequestsSigned="true">${inside}</IDPSSODescriptor>`)
  const next = selfSigned({ name: 'next' })
  const read = (metadata: string) => root.post('/api/saml-configs/read-metadata', { metadata })

  test('of an identity provider fills in the form', async () => {
    const response = await read(
      provider(`${keyOf(key.certificate, ' use="signing"')}${keyOf(next.certificate)}
        ${keyOf(selfSigned({ name: 'other' }).certificate, ' use="encryption"')}${keyOf(key.certificate)}
        <SingleSignOnService Binding="${binding}POST" Location="https://idp.acme.example/post"/>
        <SingleSignOnService Binding="${binding}Redirect" Location="https://idp.acme.example/sso?a=1&amp;b=2"/>
        <SingleLogoutService Binding="${binding}Redirect" Location="https://idp.acme.example/slo"/>`),
    )
    expect(response.json().choices).toEqual([])
    expect(response.json().provider).toEqual({
      entityId: 'https://idp.acme.example/metadata',
      url: 'https://idp.acme.example/sso?a=1&b=2',
      postRequests: false,
      logoutUrl: 'https://idp.acme.example/slo',
      logoutResponseUrl: null,
      postLogout: false,
      warnings: [],
      certificate: key.certificate + next.certificate,
      requestSigningEnabled: true,
    })
  })

  test('may say less', async () => {
    expect((await read(provider(''))).json().provider).toMatchObject({ url: null, logoutUrl: null, certificate: '' })
  })

  test.each([
    ['no XML', 'https://idp.acme.example/metadata'],
    ['another document', '<html xmlns="http://www.w3.org/1999/xhtml"></html>'],
    ['a comment without an end', `${provider('')}<!-- `],
    ['many comments without an end', '<!--'.repeat(50_000)],
    ['deep nesting', provider('<a>'.repeat(2000) + '</a>'.repeat(2000))],
    ['too many elements', provider('<a/>'.repeat(6000))],
    ['a certificate with elements', provider(keyOf(key.certificate).replace('MII', '<a/>MII'))],
  ])('that is %s is refused', async (_, metadata) => {
    const response = await read(metadata)
    expect(response.statusCode).toBe(422)
    expect(response.json().issues).toEqual([{ path: 'metadata', message: 'metadataNotReadable' }])
  })

  test.each([
    ['metadataNoProvider', metadataOf('<SPSSODescriptor/>')],
    ['metadataTwoDescriptors', metadataOf('<IDPSSODescriptor/><IDPSSODescriptor/>')],
    ['metadataDoctype', `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>${provider('&e;')}`],
  ])('is refused with its own reason: %s', async (message, metadata) => {
    expect((await read(metadata)).json().issues).toEqual([{ path: 'metadata', message }])
  })
})

test('an organisation admin whose people sign in this way reaches none of it', async () => {
  const acme = await company(portal)
  const admin = await portal.person({ email: `admin@${acme.mailDomain}` })
  await portal.join(admin.accountId, acme.organizationId, 'organizationAdmin')
  const browser = await portal.signedIn(admin)
  const { configId: id } = acme
  const answers = await Promise.all([
    browser.get('/api/saml-configs'),
    browser.get(`/api/saml-configs/${id}`),
    browser.post('/api/saml-configs', form),
    browser.put('/api/saml-configs', { ...form, id }),
    browser.delete(`/api/saml-configs/${id}`),
    browser.post('/api/saml-configs/check-certificates', { certificate: form.certificate }),
    browser.post('/api/saml-configs/read-metadata', { metadata: '<a/>' }),
  ])
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(7).fill(403))
})
