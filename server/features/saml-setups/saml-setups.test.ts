import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OpenSetup } from '#contract/saml-setups/saml-setups.ts'
import type { Answer, Subject } from '#simulators/saml-idp/answer.ts'
import type { Client } from '#test/client.ts'
import { outboxOf } from '#test/outbox.ts'
import { selfSigned } from '#test/saml/certificate.ts'
import { type Asked, type Company, companyAnswer, deliver, requestIn } from '#test/saml/company.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let root: Client
beforeAll(async () => {
  portal = await testApp({ LIMIT_SAML_SETUP: '1000/60' })
  root = await portal.signedIn(await portal.person({ superUser: true, email: 'root@setup.example' }))
})
afterAll(() => portal?.close())

/** A link of a new organisation, and the browser of its IT, which has no account. */
async function linked() {
  const { organizationId, name } = await portal.organization()
  const created = await root.post('/api/saml-setups', { organizationId })
  expect(created.statusCode).toBe(201)
  const { url, setupId } = created.json()
  const token = new URL(url).pathname.split('/')[2] ?? ''
  const it = portal.browser()
  const call = (what: string, more: object = {}) => it.post(`/api/saml-setup${what}`, { token, ...more })
  const found = async (): Promise<OpenSetup> => (await call('')).json()
  return { organizationId, name, setupId, token, it, call, found }
}

/** What the IT enters on its side. */
function valuesOf({ serviceProvider }: OpenSetup) {
  if (!serviceProvider) throw new Error('the link is for the directory alone')
  return serviceProvider
}
type Linked = Awaited<ReturnType<typeof linked>>

let providers = 0
const provider = () => {
  const name = `idp${++providers}.example`
  return { name, issuer: `https://${name}/metadata`, key: selfSigned({ name }) }
}
type Provider = ReturnType<typeof provider>
const metadataOf = ({ name, issuer, key }: Provider, changed: { url?: string; redirect?: boolean } = {}) => `
<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${issuer}">
  <IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
    <KeyDescriptor use="signing"><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data>
      <X509Certificate>${key.certificate.replaceAll(/-----[^-]+-----|\s/g, '')}</X509Certificate>
    </X509Data></KeyInfo></KeyDescriptor>
    <SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-${changed.redirect === false ? 'Artifact' : 'Redirect'}"
      Location="${changed.url ?? `https://${name}/sso`}"/>
  </IDPSSODescriptor>
</EntityDescriptor>`

/** Runs the test sign-in as the identity provider answers it. @returns where the browser is sent */
async function tested({ call, found }: Linked, of: Provider, subject: Subject, changed: Partial<Answer> = {}) {
  const sentTo = new URL((await call('/test')).json().url)
  const request = requestIn(sentTo)
  const read = (pattern: RegExp) => pattern.exec(request)?.[1] ?? ''
  const { acsUrl, entityId } = valuesOf(await found())
  const asked: Asked = {
    ...{ uid: '', sentTo, request, acsUrl, audience: entityId, issuer: of.issuer, now: portal.now() },
    relayState: sentTo.searchParams.get('RelayState') ?? '',
    requestId: read(/ ID="([^"]+)"/),
  }
  const company: Company = { ...of, configId: idOf(acsUrl), organizationId: '', mailDomain: of.name }
  const answered = await deliver(portal, company, companyAnswer(company, asked, subject, changed), asked.relayState)
  return String(answered.headers.location)
}
const idOf = (acsUrl: string) => Number(/\/saml\/([0-9]+)\//.exec(acsUrl)?.[1])
const approval = (of: { version: number }, changed: object = {}) => ({
  ...{ name: 'Setup AB', domain: 'https://setup.example', active: false, version: of.version },
  ...changed,
})

/** A link whose draft was tested and handed in. */
async function handedIn(of = provider()) {
  const link = await linked()
  await link.call('/metadata', { metadata: metadataOf(of) })
  await tested(link, of, { nameId: `a@${of.name}` })
  const { version } = await link.found()
  const answer = await link.call('/hand-in', { version })
  expect(answer.statusCode, answer.body).toBe(200)
  const read = async () => (await root.get(`/api/saml-setups/${link.setupId}`)).json()
  return { ...link, of, read, path: `/api/saml-setups/${link.setupId}` }
}

const eventsOf = async (organizationId: string) =>
  (
    await portal.system.db
      .selectFrom('auditEvents')
      .select(['name', 'actor', 'changes'])
      .where('targetId', '=', organizationId)
      .where('name', 'like', '%SamlSetup')
      .orderBy('createdAt')
      .orderBy('id')
      .execute()
  ).map(({ name, actor }) => `${actor ?? '-'} ${name}`)

test('the IT of an organisation prepares its sign-in without an account, and a super user approves it', async () => {
  const link = await linked()
  const page = await link.it.get(`/saml-setup/${link.token}`, { accept: 'text/html' })
  expect(page.statusCode).toBe(200)
  expect(page.headers['cache-control']).toBe('no-store')
  expect(await link.found()).toMatchObject({ organizationName: link.name, state: 'open', draft: null })

  const of = provider()
  const given = await link.call('/metadata', { metadata: metadataOf(of) })
  expect(given.json().draft).toMatchObject({ entityId: of.issuer, url: `https://${of.name}/sso` })
  const serviceProvider = valuesOf(await link.found())
  const id = idOf(serviceProvider.acsUrl)
  const metadata = await portal.browser().get(new URL(serviceProvider.entityId).pathname)
  expect(metadata.body).toContain(`Location="${serviceProvider.acsUrl}"`)

  const back = new URL(
    await tested(link, of, { nameId: `a@${of.name}`, attributes: { role: 'IT' } }),
    'https://x.example',
  )
  expect(back.pathname).toBe('/saml-setup')
  const shown = (await link.call('', { ticket: back.searchParams.get('ticket') })).json()
  expect(shown.tested).toMatchObject({ passed: true })
  expect(shown.received).toMatchObject({ issuer: of.issuer, attributes: [{ name: 'role', values: ['IT'] }] })
  expect(await portal.system.db.selectFrom('samlConfigs').select('id').where('id', '=', id).execute()).toEqual([])

  const handed = await link.call('/hand-in', { version: shown.version })
  expect(handed.json()).toMatchObject({ state: 'handedIn' })
  const mails = await outboxOf(portal).messagesTo('root@setup.example')
  expect(mails.filter(({ template }) => template === 'sign-in-to-check').map(({ values }) => values)).toEqual([
    expect.objectContaining({ what: 'draft', name: link.name, path: `/saml-configuration/setups/${link.setupId}` }),
  ])
  expect((await root.get('/api/saml-setups')).json()).toContainEqual(
    expect.objectContaining({ setupId: link.setupId, organizationName: link.name, state: 'handedIn' }),
  )
  const waiting = async () => (await root.get('/api/home')).json().todos.setupsToApprove
  expect(await waiting()).toBe(1)
  const approved = await root.post(
    `/api/saml-setups/${link.setupId}/approve`,
    approval(handed.json(), { active: true }),
  )
  expect(approved.json()).toMatchObject({ id, entityId: of.issuer, domain: 'https://setup.example', active: true })
  expect((await root.get(`/api/organizations/${link.organizationId}`)).json()).toMatchObject({
    loginMethod: 'local',
    samlConfigId: id,
  })
  expect(await waiting()).toBe(0)
  expect(await link.found()).toMatchObject({ state: 'approved' })
  expect((await link.call('/metadata', { metadata: metadataOf(of) })).json().message).toBe('setupDecided')
  expect(await eventsOf(link.organizationId)).toEqual([
    'root@setup.example createSamlSetup',
    ...Array(6).fill('- useSamlSetup'),
    '- handInSamlSetup',
    'root@setup.example approveSamlSetup',
    '- useSamlSetup',
  ])
  // Until the organisation chooses it, nothing keeps it.
  const next = await root.post('/api/saml-configs', {
    ...(approved.json() as object),
    id: undefined,
    version: undefined,
  })
  expect((await root.delete(`/api/saml-configs/${id}`)).statusCode).toBe(204)
  // A configuration by hand gets a number of its own.
  expect(next.json().id).toBeGreaterThan(id)
})

test('a made-up, revoked or expired link is refused alike, and so is that of another organisation', async () => {
  const { token, call, setupId, organizationId } = await linked()
  const other = await linked()
  const answerTo = async (changed: string) => {
    const { requestId: _, ...answer } = (await portal.browser().post('/api/saml-setup', { token: changed })).json()
    return answer
  }
  const refused = { message: 'setupLinkInvalid' }
  const [id = '', mac = ''] = token.split('.')
  const [otherId = ''] = other.token.split('.')
  const altered = `${mac.startsWith('A') ? 'B' : 'A'}${mac.slice(1)}`
  for (const wrong of ['x', `${id}.`, `${id}.${altered}`, `${otherId}.${mac}`, `${'0'.repeat(32)}.${mac}`])
    expect(await answerTo(wrong), wrong).toMatchObject(refused)
  expect((await call('')).statusCode).toBe(200)
  expect((await root.post(`/api/saml-setups/${setupId}/revoke`)).statusCode).toBe(204)
  expect(await answerTo(token)).toMatchObject(refused)
  for (const what of ['/metadata', '/test', '/hand-in'])
    expect(
      (await call(what, what === '/metadata' ? { metadata: 'x' } : what === '/hand-in' ? { version: 1 } : {}))
        .statusCode,
    ).toBe(404)
  expect((await eventsOf(organizationId)).at(-1)).toBe('root@setup.example revokeSamlSetup')
  expect((await root.post(`/api/saml-setups/${setupId}/revoke`)).statusCode).toBe(409)
  const { acsUrl, entityId } = valuesOf(await other.found())
  portal.advance(72 * 3600 + 1)
  expect(await answerTo(other.token)).toMatchObject(refused)
  expect((await portal.browser().get(new URL(entityId).pathname)).statusCode).toBe(404)
  expect(idOf(acsUrl)).toBeGreaterThan(0)
  // Everyone's session has ended with the time.
  root = await portal.signedIn({ email: 'root@setup.example', accountId: '' })
})

test('a draft that is replaced while a super user reads is not approved', async () => {
  const { call, read, path, found } = await handedIn()
  const seen = await read()
  const evil = provider()
  await call('/metadata', { metadata: metadataOf(evil) })
  expect(await found()).toMatchObject({ state: 'open', tested: null, draft: { entityId: evil.issuer } })
  const answer = await root.post(`${path}/approve`, approval(seen))
  expect(answer.json().message).toBe('changedByOthers')
  // Nor is what was replaced and handed in again.
  await call('/hand-in', { version: (await found()).version })
  expect((await root.post(`${path}/approve`, approval(seen))).json().message).toBe('changedByOthers')
  expect((await root.post(`${path}/reject`, { reason: 'No', version: seen.version })).json().message).toBe(
    'changedByOthers',
  )
  const count = portal.system.db.selectFrom('samlConfigs').select('id').where('entityId', '=', evil.issuer)
  expect(await count.execute()).toEqual([])
})

test('a test of an earlier draft says nothing of a later one', async () => {
  const link = await linked()
  const of = provider()
  await link.call('/metadata', { metadata: metadataOf(of) })
  const asking = await link.call('/test')
  const next = provider()
  await link.call('/metadata', { metadata: metadataOf(next) })
  expect(asking.statusCode).toBe(200)
  await tested(link, next, { nameId: 'a' }, { audiences: ['https://other.example'] })
  const { tested: result, version } = await link.found()
  expect(result).toMatchObject({ passed: false })
  await link.call('/hand-in', { version })
  const path = `/api/saml-setups/${link.setupId}/approve`
  expect((await root.post(path, approval({ version: version + 1 }, { active: true }))).json().message).toBe(
    'setupNotTested',
  )
  expect((await root.post(path, approval({ version: version + 1 }))).json()).toMatchObject({ active: false })
})

test('a rejected draft goes back to the IT with the reason, for another 72 hours', async () => {
  const { call, found, read, path, organizationId } = await handedIn()
  portal.advance(70 * 3600)
  root = await portal.signedIn({ email: 'root@setup.example', accountId: '' })
  const { version } = await read()
  expect((await root.post(`${path}/reject`, { reason: 'Wrong tenant', version })).statusCode).toBe(204)
  expect((await eventsOf(organizationId)).at(-1)).toBe('root@setup.example rejectSamlSetup')
  portal.advance(70 * 3600)
  expect(await found()).toMatchObject({ state: 'open', rejection: 'Wrong tenant', handedInAt: null })
  await call('/hand-in', { version: version + 1 })
  expect(await found()).toMatchObject({ state: 'handedIn', rejection: null })
  root = await portal.signedIn({ email: 'root@setup.example', accountId: '' })
})

test('the entity ID of another configuration is told to the super user alone, who must confirm it', async () => {
  const first = await handedIn()
  const made = (await root.post(`${first.path}/approve`, approval(await first.read(), { name: 'First AB' }))).json()
  const second = await handedIn(first.of)
  expect(JSON.stringify(await second.found())).not.toContain('First AB')
  const seen = await second.read()
  expect(seen.sameIssuer).toEqual([{ id: made.id, name: 'First AB' }])
  expect((await root.post(`${second.path}/approve`, approval(seen))).json().message).toBe('setupSameIssuer')
  expect((await root.post(`${second.path}/approve`, approval(seen, { sameIssuer: true }))).statusCode).toBe(200)
})

test('metadata that lacks something, is hostile or too large leaves the draft as it was', async () => {
  const { call, found } = await linked()
  const of = provider()
  await call('/metadata', { metadata: metadataOf(of) })
  const before = (await found()).version
  const messageOf = async (metadata: string) => {
    const answer = await call('/metadata', { metadata })
    return answer.json().issues?.[0]?.message ?? answer.statusCode
  }
  expect(await messageOf(metadataOf(of, { redirect: false }))).toBe('metadataNoSignIn')
  expect(await messageOf(metadataOf(of, { url: 'javascript:alert(1)' }))).toBe('metadataNotReadable')
  expect(await messageOf(`<!DOCTYPE x [<!ENTITY y "z">]>${metadataOf(of)}`)).toBe('metadataDoctype')
  expect(await messageOf(`<a>${'<b/>'.repeat(50_000)}</a>`)).toBe('metadataNotReadable')
  expect(await messageOf('x'.repeat(250_001))).toBe('tooLong')
  expect(await messageOf('x'.repeat(600_000))).toBe(413)
  expect((await found()).version).toBe(before)
})

test('metadata without a certificate that can be used is refused, and each one that was left out is named with the reason', async () => {
  const { call, found } = await linked()
  const of = provider()
  const refusalOf = async (certificate: string, changed = (xml: string) => xml) => {
    const answer = await call('/metadata', {
      metadata: changed(metadataOf({ ...of, key: { ...of.key, certificate } })),
    })
    expect(answer.statusCode).toBe(422)
    return answer.json().issues
  }
  const refused = { path: 'metadata', message: 'metadataNoCertificate' }
  const weak = { path: 'metadata', message: 'metadataWarningWeakKey', detail: 'CN=weak.example' }
  expect(await refusalOf('AAAA')).toEqual([refused, { ...weak, message: 'metadataWarningUnreadable', detail: 'AAAA' }])
  expect(await refusalOf(selfSigned({ name: 'weak.example', bits: 1024 }).certificate)).toEqual([refused, weak])
  expect(await refusalOf(of.key.certificate, (xml) => xml.replace('use="signing"', 'use="encryption"'))).toEqual([
    refused,
  ])
  expect((await found()).draft).toBeNull()
})

test('guesses from one address are slowed down', async () => {
  const slow = await testApp({ LIMIT_SAML_SETUP: '3/600' })
  const guess = () => slow.browser().post('/api/saml-setup', { token: 'made-up' })
  const statuses = [await guess(), await guess(), await guess(), await guess()].map(({ statusCode }) => statusCode)
  await slow.close()
  expect(statuses).toEqual([404, 404, 404, 429])
})
