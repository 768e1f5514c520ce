import { createPrivateKey } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signXml } from '#server/saml/signed-message.ts'
import type { Client } from '#test/client.ts'
import { outboxOf } from '#test/outbox.ts'
import type { Person } from '#test/people.ts'
import { selfSigned } from '#test/saml/certificate.ts'
import { company } from '#test/saml/company.ts'
import { type TestApp, testApp } from '#test/test-app.ts'
import { createSamlMetadataJob } from './read-watched-metadata.ts'

const { certificate } = selfSigned({ name: 'idp.fetched.example' })
const metadata = `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://idp.fetched.example">
  <IDPSSODescriptor><KeyDescriptor><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>
  ${certificate.replaceAll(/-----[^-]+-----/g, '')}</X509Certificate></X509Data></KeyInfo></KeyDescriptor>
  <SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://idp.fetched.example/sso"/>
  </IDPSSODescriptor></EntityDescriptor>`

let watched = ''
let federation = ''

/** An identity provider, and what else an address may lead to. */
const server = createServer((request, response) => {
  if (request.url === '/metadata') return response.end(metadata)
  if (request.url === '/watched') return response.end(watched)
  if (request.url === '/federation') return response.end(federation)
  if (request.url === '/moved') return response.writeHead(302, { location: '/metadata' }).end()
  if (request.url === '/page') return response.end('<html>secret page</html>')
  if (request.url === '/large') return response.end('x'.repeat(600_000))
  return response.writeHead(404).end('secret error')
})
let origin: string
let portal: TestApp
let root: Client
let superUser: Person
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  origin = `http://127.0.0.1:${port}`
  portal = await testApp({ LIMIT_SAML_SETUP: '1000/60', OUTGOING_ALLOW: `localhost:${port}` })
  superUser = await portal.person({ superUser: true })
  root = await portal.signedIn(superUser)
})
afterAll(async () => {
  server.close()
  await portal?.close()
})

const messageOf = (body: string) => {
  const { message, issues } = JSON.parse(body)
  return issues?.[0]?.message ?? message
}

test('a super user has metadata fetched from its address, and is told what is wrong with an address', async () => {
  const fetchFrom = (address: string) => root.post('/api/saml-configs/fetch-metadata', { address })
  expect((await fetchFrom(`${origin}/metadata`)).json().provider).toMatchObject({
    entityId: 'https://idp.fetched.example',
    url: 'https://idp.fetched.example/sso',
    certificate,
  })
  const told = async (address: string) => messageOf((await fetchFrom(address)).body)
  expect(await told(`${origin}/moved`)).toBe('outgoingRedirect')
  expect(await told(`${origin}/large`)).toBe('metadataTooLarge')
  expect(await told(`${origin}/page`)).toBe('metadataNotReadable')
  expect(await told(`${origin}/none`)).toBe('metadataNotFetched')
  expect(await told('http://169.254.169.254/latest')).toBe('outgoingInternal')
  expect(await told('ftp://x.example')).toBe('invalidUrl')
  expect((await fetchFrom(`${origin}/page`)).body).not.toContain('secret')
})

test('someone with a set-up link has it fetched too, but learns nothing about other addresses', async () => {
  const { organizationId } = await portal.organization()
  const { url } = (await root.post('/api/saml-setups', { organizationId })).json()
  const token = new URL(url).pathname.split('/')[2]
  const give = (address: string, by = token) =>
    portal.browser().post('/api/saml-setup/metadata-address', { token: by, address })
  expect((await give(`${origin}/metadata`)).json().draft).toMatchObject({ entityId: 'https://idp.fetched.example' })
  // The operator lets the portal itself call localhost, which is not for outsiders.
  expect(
    (await root.post('/api/saml-configs/fetch-metadata', { address: origin.replace('127.0.0.1', 'localhost') })).body,
  ).toContain('metadataNotFetched')
  const others = ['/moved', '/large', '/page', '/none'].map((path) => origin + path)
  for (const address of [
    ...others,
    origin.replace('127.0.0.1', 'localhost'),
    'http://169.254.169.254/',
    'http://no.invalid',
  ])
    expect(messageOf((await give(address)).body), address).toBe('metadataNotFetched')
  const { requestId: _, ...answer } = (await give(`${origin}/metadata`, 'made-up')).json()
  expect(answer).toEqual({ message: 'setupLinkInvalid' })
})

/** What the identity provider publishes now. */
const published = (...certificates: string[]) =>
  metadata.replace(
    /<KeyDescriptor>.*<\/KeyDescriptor>/s,
    certificates
      .map(
        (pem) =>
          `<KeyDescriptor><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>${pem.replaceAll(/-----[^-]+-----/g, '')}</X509Certificate></X509Data></KeyInfo></KeyDescriptor>`,
      )
      .join(''),
  )

test('a new certificate of watched metadata counts only once a super user has confirmed it', async () => {
  const form = {
    ...{ name: 'Fetched', url: 'https://idp.fetched.example/sso', domain: 'https://fetched.example' },
    ...{ entityId: 'https://idp.fetched.example', certificate },
  }
  const { id, version } = (await root.post('/api/saml-configs', form)).json()
  const path = `/api/saml-configs/${id}/metadata`
  const set = await root.put(path, { address: `${origin}/watched` })
  expect(set.json()).toEqual({
    address: `${origin}/watched`,
    signer: null,
    checkedAt: null,
    problem: null,
    newCertificates: [],
  })
  const runJob = () => createSamlMetadataJob({ ...portal.system, clock: () => portal.now() }).run()

  watched = published(certificate)
  await runJob()
  expect((await root.get(path)).json()).toMatchObject({ problem: null, newCertificates: [] })
  expect((await root.get('/api/saml-metadata-watches')).json()).toEqual([])

  const next = selfSigned({ name: 'idp.next.example' }).certificate
  watched = published(certificate, next)
  await runJob()
  await runJob()
  const mails = (await outboxOf(portal).messagesTo(superUser.email)).filter(
    ({ template }) => template === 'sign-in-to-check',
  )
  expect(mails.map(({ values }) => values.what)).toEqual(['certificate'])
  const [offered] = (await root.get(path)).json().newCertificates
  expect(offered).toMatchObject({ status: 'valid', subject: 'CN=idp.next.example' })
  expect((await root.get('/api/saml-metadata-watches')).json()).toEqual([
    { id, name: 'Fetched', newCertificates: 1, problem: null },
  ])
  expect((await root.get('/api/home')).json().todos.metadataToConfirm).toBe(1)
  expect((await root.get(`/api/saml-configs/${id}`)).json().certificates).toHaveLength(1)

  // Another one is published before the super user confirms: what was not seen is not added.
  const { fingerprint } = offered
  watched = published(certificate, selfSigned({ name: 'evil' }).certificate)
  await root.post(`${path}/refresh`)
  const confirm = (with_: object = {}) =>
    root.post(`${path}/confirm`, { fingerprints: [fingerprint], version, ...with_ })
  expect((await confirm()).json().message).toBe('changedByOthers')
  watched = published(certificate, next)
  await root.post(`${path}/refresh`)
  expect((await confirm({ version: version + 1 })).json().message).toBe('changedByOthers')
  expect((await confirm()).statusCode).toBe(200)
  const { certificates } = (await root.get(`/api/saml-configs/${id}`)).json()
  expect(certificates.map(({ subject }: { subject: string }) => subject)).toEqual([
    'CN=idp.fetched.example',
    'CN=idp.next.example',
  ])
  expect((await root.get(path)).json().newCertificates).toEqual([])
})

test('metadata of another entity, or that cannot be read, offers nothing and says so', async () => {
  const form = {
    ...{ name: 'Other', url: 'https://idp.other.example/sso', domain: 'https://other.example' },
    ...{ entityId: 'https://idp.other.example', certificate: selfSigned({ name: 'other' }).certificate },
  }
  const { id } = (await root.post('/api/saml-configs', form)).json()
  const path = `/api/saml-configs/${id}/metadata`
  expect(messageOf((await root.put(path, { address: 'http://10.0.0.1/x' })).body)).toBe('outgoingInternal')
  await root.put(path, { address: `${origin}/metadata` })
  expect((await root.post(`${path}/refresh`)).json()).toMatchObject({
    problem: 'metadataOtherEntity',
    newCertificates: [],
  })
  await root.put(path, { address: `${origin}/none` })
  expect((await root.post(`${path}/refresh`)).json()).toMatchObject({ problem: 'metadataNotFetched' })
  expect((await root.get('/api/saml-metadata-watches')).json()).toEqual([
    { id, name: 'Other', newCertificates: 0, problem: 'metadataNotFetched' },
  ])
  expect((await root.put(path, { address: null })).json().address).toBeNull()
  expect((await root.post(`${path}/refresh`)).statusCode).toBe(404)
})

test('one identity provider of a federation is read, by the signature of the certificate that is pinned', async () => {
  const key = selfSigned({ name: 'federation.example' })
  const inside = metadata.replaceAll('idp.fetched.example', 'idp.school.example')
  const aggregate = `<EntitiesDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" ID="_f">${metadata}${inside}</EntitiesDescriptor>`
  federation = await signXml(aggregate, createPrivateKey(key.privateKey), 'first')
  const of = { address: `${origin}/federation`, entityId: 'https://idp.school.example', signer: key.certificate }
  const fetched = (await root.post('/api/saml-configs/fetch-metadata', of)).json()
  expect(fetched.provider).toMatchObject({ entityId: 'https://idp.school.example', certificate })
  const told = async (changed: object) =>
    messageOf((await root.post('/api/saml-configs/fetch-metadata', { ...of, ...changed })).body)
  expect(await told({ signer: selfSigned({ name: 'other.example' }).certificate })).toBe('metadataNotSigned')
  expect(await told({ entityId: 'https://none.example' })).toBe('metadataNoEntity')
  expect((await root.post('/api/saml-configs/fetch-metadata', { ...of, entityId: undefined })).json()).toEqual({
    provider: null,
    choices: ['fetched', 'school'].map((name) => ({ entityId: `https://idp.${name}.example`, displayName: null })),
  })
  expect(await told({ signer: 'x' })).toBe('certificateNotUsable')

  const { configId: id } = await company(portal, { entityId: 'https://idp.school.example' })
  const watch = { address: of.address, signer: key.certificate }
  expect((await root.put(`/api/saml-configs/${id}/metadata`, watch)).json()).toMatchObject({
    signer: key.certificate.trim(),
  })
  const refresh = async () => (await root.post(`/api/saml-configs/${id}/metadata/refresh`)).json()
  expect(await refresh()).toMatchObject({ problem: null, newCertificates: [{ status: 'valid' }] })
  federation = federation.replace('idp.fetched.example/sso', 'idp.hostile.example/sso')
  expect(await refresh()).toMatchObject({ problem: 'metadataNotSigned' })
  expect((await root.put(`/api/saml-configs/${id}/metadata`, { ...watch, signer: 'x' })).statusCode).toBe(422)
})

test('a configuration that is created from an address is watched there from the beginning', async () => {
  const key = selfSigned({ name: 'federation.example' })
  const aggregate = `<EntitiesDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" ID="_f">${metadata}</EntitiesDescriptor>`
  federation = await signXml(aggregate, createPrivateKey(key.privateKey), 'first')
  const form = {
    ...{ name: 'From a federation', domain: 'https://fetched.example', url: 'https://idp.fetched.example/sso' },
    ...{ entityId: 'https://idp.fetched.example', certificate: selfSigned({ name: 'old' }).certificate },
  }
  const source = { address: `${origin}/federation`, signer: key.certificate }
  const create = (metadata: object) => root.post('/api/saml-configs', { ...form, metadata })
  const problemsOf = async (metadata: object) => (await create(metadata)).json().issues
  expect(await problemsOf({ ...source, signer: 'x' })).toEqual([
    { path: 'metadata.signer', message: 'certificateNotUsable' },
  ])
  expect(await problemsOf({ ...source, address: 'http://10.0.0.1/x' })).toEqual([
    { path: 'metadata.address', message: 'outgoingInternal' },
  ])
  const { id, ...created } = (await create(source)).json()
  expect(created).not.toHaveProperty('metadata')
  const watch = async () => (await root.get(`/api/saml-configs/${id}/metadata`)).json()
  expect(await watch()).toMatchObject({ address: source.address, signer: key.certificate.trim(), checkedAt: null })
  const [event] = (await root.get('/api/audit-events?nameFilter=createSamlConfig')).json().items
  expect(event.changes.map(({ property }: { property: string }) => property)).toEqual(
    expect.arrayContaining(['metadataAddress', 'metadataSigner']),
  )
  await createSamlMetadataJob({ ...portal.system, clock: portal.now }).run()
  expect(await watch()).toMatchObject({ problem: null, newCertificates: [{ status: 'valid' }] })
})
