import { deflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type IdpOptions, type RunningIdp, startIdp } from './idp.ts'

const options: IdpOptions = {
  organization: 'Fjällrå AB',
  people: [{ name: 'Åsa Dahl', email: 'asa@fjallra.example', ssn: '191212121212' }],
  entityId: 'urn:idp',
  portal: 'http://portal.test',
  clock: () => new Date('2026-03-02T08:00:00Z'),
  port: 0,
  host: '127.0.0.1',
}
let idp: RunningIdp
beforeAll(async () => {
  idp = await startIdp(options)
})
afterAll(() => idp.close())

const requestTo = (acsUrl: string) =>
  deflateRawSync(
    `<samlp:AuthnRequest ID="_1" AssertionConsumerServiceURL="${acsUrl}"><saml:Issuer>http://portal.test/saml/1/metadata</saml:Issuer></samlp:AuthnRequest>`,
  ).toString('base64')
const address = (path: string) => `http://127.0.0.1:${idp.port}${path}`
const post = async (fields: Record<string, string>) =>
  (await fetch(address('/sso'), { method: 'POST', body: new URLSearchParams(fields) })).text()
const answerIn = (page: string) =>
  Buffer.from(/name="SAMLResponse" value="([^"]+)"/.exec(page)?.[1] ?? '', 'base64').toString()

test('sends the details of the selected person to the requesting portal', async () => {
  const asked = { SAMLRequest: requestTo('http://portal.test/saml/1/acs'), RelayState: '"><script>' }
  const page = await (await fetch(address(`/sso?${new URLSearchParams(asked)}`))).text()
  expect(page).toContain('Åsa Dahl')
  const answered = await post({ ...asked, person: 'asa@fjallra.example' })
  expect(answered).toContain('action="http://portal.test/saml/1/acs"')
  expect(answered).not.toContain('"><script>')
  const answer = answerIn(answered)
  expect(answer).toContain('Destination="http://portal.test/saml/1/acs"')
  expect(answer).toContain('>asa@fjallra.example<')
  expect(answer).toContain('>191212121212<')
  expect(answer.match(/<ds:Signature /g)).toHaveLength(2)
})

test('answers no other portal, and sends no unsolicited response', async () => {
  const foreign = { SAMLRequest: requestTo('http://evil.example/acs'), RelayState: 'x', email: 'a@b.se' }
  const bomb = { SAMLRequest: deflateRawSync(Buffer.alloc(10_000_000)).toString('base64'), email: 'a@b.se' }
  for (const fields of [foreign, bomb, { SAMLRequest: 'made up', email: 'a@b.se' }, { email: 'a@b.se' }]) {
    const page = await post(fields)
    expect(page).not.toContain('SAMLResponse')
    expect(page).toContain('Nobody asked for a sign-in here.')
  }
  expect(await (await fetch(address('/'))).text()).toContain('Nobody asked for a sign-in here.')
})

test('uses another port if its own is in use', async () => {
  const second = await startIdp({ ...options, port: idp.port })
  expect(second.port).not.toBe(idp.port)
  await second.close()
})

test('publishes its metadata', async () => {
  const metadata = await (await fetch(address('/metadata'))).text()
  expect(metadata).toContain(`Location="${address('/sso')}"`)
  expect(metadata).toMatch(/<ds:X509Certificate>MII/)
})
