import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SamlSignIn } from '#contract/saml-configs/saml-sign-ins.ts'
import { removeExpired } from '#server/platform/jobs/remove-expired.ts'
import type { Answer } from '#simulators/saml-idp/answer.ts'
import type { Client } from '#test/client.ts'
import { selfSigned } from '#test/saml/certificate.ts'
import { askCompany, type Company, company, companyAnswer, deliver, employee } from '#test/saml/company.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let acme: Company
let root: Client
beforeAll(async () => {
  portal = await testApp()
  acme = await company(portal)
  root = await portal.signedIn(await portal.person({ superUser: true }))
})
afterAll(() => portal?.close())

/** Answers for this address. @returns where the browser is sent */
async function answer(email: string, changed: Partial<Answer> = {}, key = acme.key): Promise<string> {
  const asked = await askCompany(portal, portal.browser(), acme)
  const xml = companyAnswer({ ...acme, key }, asked, { nameId: email }, changed)
  return String((await deliver(portal, acme, xml, asked.relayState)).headers.location)
}
const signInAgain = async () => {
  root = await portal.signedIn(await portal.person({ superUser: true }))
}
const list = async (query = '', of = acme): Promise<SamlSignIn[]> =>
  (await root.get(`/api/saml-configs/${of.configId}/sign-ins${query}`)).json()
const newest = async () => (await list())[0]

test('a super user sees who was let in, and why somebody was not, under the reference that the person saw', async () => {
  const { email } = await employee(portal, acme)
  await answer(email)
  expect(await newest()).toMatchObject({ email, failure: null, detail: null, at: portal.now().toISOString() })

  const sentTo = await answer(email, { audiences: ['https://elsewhere.example'] })
  const reference = new URL(sentTo, 'http://portal.test').searchParams.get('reference')
  expect(await newest()).toMatchObject({
    // Nothing in an answer that is not valid says who the person is: what was typed.
    email: `somebody@${acme.mailDomain}`,
    failure: 'audience',
    detail: 'the assertion is for another audience',
    reference,
  })
  expect(await list(`?searchQuery=${reference?.slice(0, 13)}`)).toHaveLength(1)
  expect((await list(`?searchQuery=${email.toUpperCase()}`)).map(({ failure }) => failure)).toEqual([null])
  expect((await list('?failed=true')).map(({ failure }) => failure)).toEqual(['audience'])
})

test.each<[string, () => Promise<unknown>, string | null]>([
  ['another destination', () => answer('a@b.example', { destination: 'https://elsewhere.example' }), 'destination'],
  ['another issuer', () => answer('a@b.example', { assertionIssuer: 'https://elsewhere.example' }), 'issuer'],
  ['a key of somebody else', () => answer('a@b.example', {}, selfSigned({ name: 'other' })), 'signature'],
  ['an old answer', () => answer('a@b.example', { confirmationNotOnOrAfter: new Date('2020-01-01') }), 'clock'],
  ['a declined sign-in', () => answer('a@b.example', { status: 'Responder' }), 'declined'],
  ['no address', () => answer('no address'), 'attributes'],
  ['an unknown person', () => answer(`unknown@${acme.mailDomain}`), 'unknownPerson'],
  ['a passive person', async () => answer((await employee(portal, acme, { passive: true })).email), 'passive'],
  ['an answer that nobody asked for', () => deliver(portal, acme, '<a/>', 'unknown'), 'unsolicited'],
  [
    'no answer',
    async () => deliver(portal, acme, 'x', (await askCompany(portal, portal.browser(), acme)).relayState),
    'malformed',
  ],
])('%s is recorded with its cause', async (_, act, failure) => {
  portal.advance(60)
  await act()
  expect(await newest()).toMatchObject({ failure, at: portal.now().toISOString() })
})

test('answers that nobody asked for cannot fill the table', async () => {
  portal.advance(3600)
  const other = await company(portal)
  for (let count = 0; count < 70; count++) {
    // Each from a window of its own, so that the limit per address does not refuse them first.
    portal.advance(40)
    await deliver(portal, other, '<a/>', 'unknown')
  }
  await signInAgain()
  const { length } = await list('', other)
  expect(length).toBe(60)
})

test('one organisation’s sign-ins are not in the list of another, and all go after 14 days', async () => {
  const other = await company(portal)
  expect(await list('', other)).toEqual([])
  expect((await list()).length).toBeGreaterThan(0)
  portal.advance(15 * 86_400)
  await signInAgain()
  expect(await list()).toEqual([])
  await removeExpired(portal.system.db, portal.now(), portal.system.config)
  const rows = await portal.system.db.selectFrom('samlSignIns').select('id').execute()
  expect(rows).toEqual([])
})
