import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SamlTestResult } from '#contract/saml-configs/saml-tests.ts'
import type { Answer, Subject } from '#simulators/saml-idp/answer.ts'
import type { Client } from '#test/client.ts'
import { selfSigned } from '#test/saml/certificate.ts'
import {
  type Asked,
  askCompany,
  type Company,
  company,
  companyAnswer,
  deliver,
  employee,
  requestIn,
} from '#test/saml/company.ts'
import { type Encryption, encryptionCertificate, withEncrypted } from '#test/saml/encrypted.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let acme: Company
let root: Client
beforeAll(async () => {
  portal = await testApp()
  acme = await company(portal)
  root = await portal.signedIn(await portal.person({ superUser: true }))
})
afterAll(() => portal.close())

const formOf = (of: Company, changed: object = {}) => ({
  id: of.configId,
  name: 'Acme',
  entityId: of.issuer,
  url: `https://idp.${of.mailDomain}/sso`,
  domain: `https://${of.mailDomain}`,
  certificate: of.key.certificate,
  ...changed,
})

/** Begins a test sign-in. @returns what the identity provider is asked */
async function begin(browser = root, of = acme, changed: object = {}): Promise<Asked> {
  const { url } = (await browser.post('/api/saml-configs/test', formOf(of, changed))).json()
  const sentTo = new URL(url)
  const request = requestIn(sentTo)
  const read = (pattern: RegExp) => pattern.exec(request)?.[1] ?? ''
  return {
    uid: '',
    sentTo,
    request,
    relayState: sentTo.searchParams.get('RelayState') ?? '',
    requestId: read(/ ID="([^"]+)"/),
    acsUrl: read(/ AssertionConsumerServiceURL="([^"]+)"/),
    audience: read(/<(?:\w+:)?Issuer\b[^>]*>([^<]+)</),
    issuer: of.issuer,
    now: portal.now(),
  }
}

/** The whole test. @returns where the result is read */
async function tested(subject: Subject, changed: Partial<Answer> = {}, draft: object = {}): Promise<string> {
  const asked = await begin(root, acme, draft)
  const answered = await deliver(portal, acme, companyAnswer(acme, asked, subject, changed), asked.relayState)
  const shown = new URL(String(answered.headers.location), 'https://portal.example')
  expect(shown.pathname).toBe(`/saml-configuration/${acme.configId}/test`)
  return `/api/saml-configs/${acme.configId}/test-result${shown.search}`
}
const resultOf = async (address: string): Promise<SamlTestResult> => (await root.get(address)).json()
const statuses = ({ checks }: SamlTestResult) =>
  Object.fromEntries(checks.map(({ check, status, failure }) => [check, failure ? `${status}: ${failure}` : status]))

const allPassed = {
  certificate: 'passed',
  answer: 'passed',
  signature: 'passed',
  issuer: 'passed',
  destination: 'passed',
  request: 'passed',
  audience: 'passed',
  time: 'passed',
  attributes: 'passed',
  person: 'passed',
}

/** Everything that a sign-in leaves. */
async function traces() {
  const { db } = portal.system
  const of = (table: 'users' | 'sessions' | 'samlSignIns' | 'auditEvents') => db.selectFrom(table).selectAll().execute()
  return JSON.stringify([
    await of('users'),
    (await of('sessions')).length,
    await of('samlSignIns'),
    (await of('auditEvents')).length,
  ])
}

test('a super user sees every check passed and whom it would sign in, and nothing is written', async () => {
  const { accountId, email } = await employee(portal, acme)
  const before = await traces()
  const address = await tested({
    nameId: email,
    attributes: { displayName: 'Åsa Öst', nationalId: '19121212-1212', note: 'see 121212+1212.' },
  })
  const result = await resultOf(address)
  expect(statuses(result)).toEqual(allPassed)
  expect(result).toMatchObject({ passed: true, person: { accountId, email } })
  expect(result.received).toMatchObject({ issuer: acme.issuer, nameId: email })
  expect(result.received?.attributes).toEqual([
    { name: 'displayName', values: ['Åsa Öst'] },
    { name: 'nationalId', values: ['19121212-****'] },
    { name: 'note', values: ['see ****.'] },
  ])
  expect(await traces()).toBe(before)
})

test('each mistake is named, also several at once, and what was signed is shown', async () => {
  const { email } = await employee(portal, acme)
  const late = new Date(portal.now().getTime() - 3600_000)
  const result = await resultOf(
    await tested(
      { nameId: email },
      {
        audiences: ['https://other.example'],
        assertionIssuer: 'https://x.example',
        responseIssuer: null,
        notOnOrAfter: late,
      },
    ),
  )
  expect(statuses(result)).toEqual({
    ...allPassed,
    issuer: 'failed: issuer',
    audience: 'failed: audience',
    time: 'failed: clock',
  })
  expect(result).toMatchObject({ passed: false, received: { issuer: 'https://x.example' } })
})

test('of an encrypted assertion it says whether it could be decrypted', async () => {
  const other = await company(portal)
  const { email } = await employee(portal, other)
  const certificate = await encryptionCertificate(portal, other)
  const resultOfEncrypted = async (how: Encryption) => {
    const asked = await begin(root, other)
    const xml = withEncrypted(companyAnswer(other, asked, { nameId: email }), how)
    const { headers } = await deliver(portal, other, xml, asked.relayState)
    const { search } = new URL(String(headers.location), 'https://portal.example')
    return resultOf(`/api/saml-configs/${other.configId}/test-result${search}`)
  }
  const right = await resultOfEncrypted({ certificate })
  expect(statuses(right)).toEqual({ ...allPassed, encryption: 'passed' })
  expect(right).toMatchObject({ passed: true, person: { email } })
  const wrong = await resultOfEncrypted({ certificate, content: 'aes128-cbc' })
  expect(statuses(wrong)).toMatchObject({ answer: 'passed', encryption: 'failed: encrypted', signature: 'notChecked' })
  expect(wrong).toMatchObject({ passed: false, received: null })
})

test('an unknown person is a warning; an attribute that is missing is a mistake', async () => {
  const unknown = await resultOf(await tested({ nameId: `nobody@${acme.mailDomain}` }))
  expect(statuses(unknown)).toEqual({ ...allPassed, person: 'warning: unknownPerson' })
  expect(unknown).toMatchObject({ passed: true, person: null })
  const nameless = await resultOf(await tested({ nameId: 'a7' }))
  expect(statuses(nameless)).toEqual({ ...allPassed, attributes: 'failed: attributes', person: 'notChecked' })
  expect(nameless.passed).toBe(false)
})

test('of an answer that the tested certificate did not sign nothing is believed or shown', async () => {
  const { email } = await employee(portal, acme)
  const result = await resultOf(
    await tested({ nameId: email }, {}, { certificate: selfSigned({ name: 'other' }).certificate }),
  )
  expect(statuses(result)).toMatchObject({ signature: 'failed: signature', issuer: 'notChecked', person: 'notChecked' })
  expect(result).toMatchObject({ passed: false, received: null, person: null })
})

test('values that are not saved are tested, and stay unsaved', async () => {
  const key = selfSigned({ name: 'next' })
  const { email } = await employee(portal, acme)
  const asked = await begin(root, acme, { certificate: key.certificate, url: 'https://next.example/sso' })
  expect(asked.sentTo.origin).toBe('https://next.example')
  const { headers } = await deliver(
    portal,
    acme,
    companyAnswer({ ...acme, key }, asked, { nameId: email }),
    asked.relayState,
  )
  const { search } = new URL(String(headers.location), 'https://portal.example')
  const result = await resultOf(`/api/saml-configs/${acme.configId}/test-result${search}`)
  expect(result.passed).toBe(true)
  expect((await root.get(`/api/saml-configs/${acme.configId}`)).json()).toMatchObject({
    certificate: acme.key.certificate,
    url: `https://idp.${acme.mailDomain}/sso`,
  })
})

test('a configuration that is off is tested, and the result says whether it has the tested values', async () => {
  const { email } = await employee(portal, acme)
  const off = { ...formOf(acme), active: false }
  expect((await root.put('/api/saml-configs', off)).statusCode).toBe(200)
  // As it stands where a configuration was made by SQL.
  const certificate = `${acme.key.certificate}\n\n`
  await portal.system.db.updateTable('samlConfigs').set({ certificate }).where('id', '=', acme.configId).execute()
  expect(await resultOf(await tested({ nameId: email }))).toMatchObject({ passed: true, active: false, saved: true })
  const draft = await resultOf(await tested({ nameId: email }, {}, { name: 'Acme Group' }))
  expect(draft).toMatchObject({ passed: true, active: false, saved: false })
  const address = await tested({ nameId: email })
  await root.put('/api/saml-configs', { id: acme.configId, active: true })
  expect(await resultOf(address)).toMatchObject({ active: true, saved: true })
})

test('the result is for the session that began the test, for this configuration, and for ten minutes', async () => {
  const { email } = await employee(portal, acme)
  const other = await company(portal)
  const address = await tested({ nameId: email })
  const colleague = await portal.signedIn(await portal.person({ superUser: true }))
  expect((await colleague.get(address)).statusCode).toBe(404)
  expect((await portal.browser().get(address)).statusCode).toBe(401)
  expect((await root.get(address.replace(`/${acme.configId}/`, `/${other.configId}/`))).statusCode).toBe(404)
  expect((await root.get(address)).statusCode).toBe(200)
  portal.advance(601)
  expect((await root.get(address)).statusCode).toBe(404)
})

test('the answer to a test signs nobody in, and is good once', async () => {
  const { email } = await employee(portal, acme)
  const asked = await begin()
  const answer = companyAnswer(acme, asked, { nameId: email })
  const browser = portal.browser()
  const { location } = (await deliver(portal, acme, answer, asked.relayState)).headers
  await browser.follow(await browser.get(String(location)))
  expect((await browser.get('/api/me')).statusCode).toBe(401)
  const again = await deliver(portal, acme, answer, asked.relayState)
  expect(again.headers.location).toBe(`/login/company/${acme.configId}?restarted=1`)
  const ticket = new URL(String(location), 'https://portal.example').searchParams.get('ticket')
  const signIn = await askCompany(portal, browser, acme)
  const completed = await browser.get(`/interaction/${signIn.uid}/saml/complete?ticket=${ticket}`)
  expect(completed.headers.location).toContain('error=signInOver')
  expect((await browser.get('/api/me')).statusCode).toBe(401)
})

test('the answer to a test completes no sign-in, and the answer to a sign-in no test', async () => {
  const { email } = await employee(portal, acme)
  const browser = portal.browser()
  const signIn = await askCompany(portal, browser, acme)
  const trial = await begin()
  const crossed = await deliver(portal, acme, companyAnswer(acme, trial, { nameId: email }), signIn.relayState)
  expect(crossed.headers.location).toContain('error=samlFailed')
  const other = await deliver(portal, acme, companyAnswer(acme, signIn, { nameId: email }), trial.relayState)
  const { search } = new URL(String(other.headers.location), 'https://portal.example')
  const result = await resultOf(`/api/saml-configs/${acme.configId}/test-result${search}`)
  expect(statuses(result)).toMatchObject({ request: 'failed: otherRequest' })
  expect((await browser.get('/api/me')).statusCode).toBe(401)
})

test('the answer to a test is refused at the address of another configuration', async () => {
  const other = await company(portal)
  const asked = await begin()
  const { headers } = await deliver(portal, other, companyAnswer(acme, asked, { nameId: 'x' }), asked.relayState)
  expect(headers.location).toBe(`/login/company/${other.configId}?restarted=1`)
})

test('a test needs values that could be saved, and a configuration that exists', async () => {
  const send = async (changed: object) => (await root.post('/api/saml-configs/test', formOf(acme, changed))).statusCode
  expect(await send({ certificate: 'none' })).toBe(422)
  expect(await send({ url: 'ftp://x' })).toBe(422)
  expect(await send({ id: 2_000_000_000 })).toBe(404)
})
