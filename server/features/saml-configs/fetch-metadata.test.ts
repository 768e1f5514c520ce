import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from '#test/client.ts'
import { selfSigned } from '#test/saml/certificate.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

const { certificate } = selfSigned({ name: 'idp.fetched.example' })
const metadata = `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://idp.fetched.example">
  <IDPSSODescriptor><KeyDescriptor><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>
  ${certificate.replaceAll(/-----[^-]+-----/g, '')}</X509Certificate></X509Data></KeyInfo></KeyDescriptor>
  <SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://idp.fetched.example/sso"/>
  </IDPSSODescriptor></EntityDescriptor>`

/** An identity provider, and what else an address may lead to. */
const server = createServer((request, response) => {
  if (request.url === '/metadata') return response.end(metadata)
  if (request.url === '/moved') return response.writeHead(302, { location: '/metadata' }).end()
  if (request.url === '/page') return response.end('<html>secret page</html>')
  if (request.url === '/large') return response.end('x'.repeat(600_000))
  return response.writeHead(404).end('secret error')
})
let origin: string
let portal: TestApp
let root: Client
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  origin = `http://127.0.0.1:${port}`
  portal = await testApp({ LIMIT_SAML_SETUP: '1000/60', OUTGOING_ALLOW: `localhost:${port}` })
  root = await portal.signedIn(await portal.person({ superUser: true }))
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
  expect((await fetchFrom(`${origin}/metadata`)).json()).toMatchObject({
    entityId: 'https://idp.fetched.example',
    url: 'https://idp.fetched.example/sso',
    certificate,
  })
  const told = async (address: string) => messageOf((await fetchFrom(address)).body)
  expect(await told(`${origin}/moved`)).toBe('outgoingRedirect')
  expect(await told(`${origin}/large`)).toBe('outgoingTooLarge')
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
