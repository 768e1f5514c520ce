import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readPostedRequest } from '#server/saml/posted-request.ts'
import { answerTo, responseXml } from '#simulators/saml-idp/answer.ts'
import { sign } from '#simulators/saml-idp/signed-answer.ts'
import type { Client } from '#test/client.ts'
import type { Person } from '#test/people.ts'
import { attempt, refused, signedIn } from '#test/saml/attempt.ts'
import { type Asked, type Company, company, companyAnswer, deliver, employee } from '#test/saml/company.ts'
import { openSignIn } from '#test/sign-in.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let root: Client
let superUser: Person
beforeAll(async () => {
  portal = await testApp()
  superUser = await portal.person({ superUser: true })
})
afterAll(() => portal?.close())
beforeEach(async () => {
  // Sign-ins from one address are limited.
  portal.advance(301)
  root = await portal.signedIn(superUser)
})

/** As a super user sets it. */
async function companyWith(options: object): Promise<Company> {
  const of = await company(portal)
  expect((await root.put('/api/saml-configs', { id: of.configId, ...options })).json()).toMatchObject(options)
  return of
}
// The built page closes its fields as XML does.
const fieldsIn = (page: string) =>
  Object.fromEntries(
    [...page.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"\/?>/g)].map(([, name, value]) => [
      name,
      value,
    ]),
  )
const certificatesOf = async ({ configId }: Company) => {
  const { body } = await portal.browser().get(`/saml/${configId}/metadata`)
  return [...body.matchAll(/<ds:X509Certificate>([^<]+)</g)].map(
    ([, base64]) => `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----`,
  )
}

describe('an identity provider that takes HTTP-POST alone', () => {
  /** The page that posts the request, in the browser of a sign-in. */
  async function pageFor(of: Company, browser = portal.browser()) {
    const { page } = await openSignIn(browser, '/login')
    const email = `somebody@${of.mailDomain}`
    const sent = await browser.get(`${page}/saml?${new URLSearchParams({ email })}`, { accept: 'text/html' })
    const { pathname, search } = new URL(String(sent.headers.location))
    return { path: pathname + search, answer: await browser.get(pathname + search, { accept: 'text/html' }) }
  }

  test('gets the request by a form, and its answer signs the person in', async () => {
    const of = await companyWith({ postRequests: true, requestSigningEnabled: true })
    const person = await employee(portal, of)
    const browser = portal.browser()
    const { answer } = await pageFor(of, browser)
    expect(answer.headers['content-security-policy']).toMatch(/form-action 'self' https:(;|$)/)
    expect(answer.body).toContain(`action="https://idp.${of.mailDomain}/sso"`)
    const { SAMLRequest = '', RelayState = '' } = fieldsIn(answer.body)
    // Our own verifier, and xml-crypto's canonical form: a signature over the whole request.
    const request = await readPostedRequest(SAMLRequest, await certificatesOf(of))
    const read = (pattern: RegExp) => pattern.exec(request)?.[1] ?? ''
    const asked: Asked = {
      ...{ uid: '', relayState: RelayState, sentTo: new URL('https://x.example'), request, issuer: of.issuer },
      ...{ requestId: read(/ ID="([^"]+)"/), acsUrl: read(/ AssertionConsumerServiceURL="([^"]+)"/) },
      ...{ audience: read(/<(?:\w+:)?Issuer\b[^>]*>([^<]+)</), now: portal.now() },
    }
    const answered = await deliver(portal, of, companyAnswer(of, asked, { nameId: person.email }), RelayState)
    await browser.follow(answered)
    expect((await browser.get('/api/me')).json()).toMatchObject({ email: person.email })
  })

  test('is asked by a page that works again after a reload, for ten minutes, and for that configuration alone', async () => {
    const of = await companyWith({ postRequests: true })
    const { path, answer } = await pageFor(of)
    const again = await portal.browser().get(path, { accept: 'text/html' })
    expect(fieldsIn(again.body)).toEqual(fieldsIn(answer.body))
    const other = await company(portal)
    const statusOf = async (address: string) => (await portal.browser().get(address)).statusCode
    expect(await statusOf(path.replace(`/${of.configId}/`, `/${other.configId}/`))).toBe(404)
    expect(await statusOf(`/saml/${of.configId}/send`)).toBe(404)
    portal.advance(601)
    expect(await statusOf(path)).toBe(404)
  })
})

describe('the clock of an identity provider', () => {
  const late = (seconds: number) => (asked: Asked) => ({
    notOnOrAfter: new Date(asked.now.getTime() - seconds * 1000),
    confirmationNotOnOrAfter: new Date(asked.now.getTime() - seconds * 1000),
  })
  const attemptLate = async (of: Company, seconds: number) => {
    const person = await employee(portal, of)
    const craft = (asked: Asked) => companyAnswer(of, asked, { nameId: person.email }, late(seconds)(asked))
    return { person, outcome: await attempt(portal, { company: of, craft }) }
  }
  test('may differ by what its configuration says, and by no more', async () => {
    const slow = await companyWith({ clockSkewSeconds: 300 })
    const { person, outcome } = await attemptLate(slow, 299)
    expect(outcome).toEqual(signedIn(person))
    expect((await attemptLate(slow, 301)).outcome).toEqual(refused(/not valid any more/))
    const exact = await companyWith({ clockSkewSeconds: 0 })
    expect((await attemptLate(exact, 1)).outcome).toEqual(refused(/not valid any more/))
  })
  test('may not differ by more than five minutes', async () => {
    const { configId: id } = await company(portal)
    for (const clockSkewSeconds of [301, -1, 1.5])
      expect((await root.put('/api/saml-configs', { id, clockSkewSeconds })).statusCode).toBe(422)
  })
})

test('a canonicalisation that would keep comments is accepted, because an answer with comments is not', async () => {
  const of = await company(portal)
  const person = await employee(portal, of)
  const withComments = 'http://www.w3.org/2001/10/xml-exc-c14n#WithComments'
  const craft = (asked: Asked) => {
    const answer = answerTo(asked, { nameId: person.email })
    return sign(responseXml(answer), answer.assertionId, of.key, 'sha256', 'sha256', withComments)
  }
  expect(await attempt(portal, { company: of, craft })).toEqual(signedIn(person))
  const commented = (asked: Asked) => craft(asked).replace(person.email, `x<!---->${person.email}`)
  expect(await attempt(portal, { company: of, craft: commented })).toEqual(refused(/comment/))
})

test.each([
  ['AuthnFailed', 'authnFailed', /could not authenticate the person \(AuthnFailed\)/],
  ['NoAuthnContext', 'noAuthnContext', /authentication context that was asked for/],
  ['InvalidNameIDPolicy', 'nameIdPolicy', /format of the NameID/],
  ['RequestDenied', 'requestDenied', /does not answer this request/],
  ['NoPassive', 'declined', /have had to ask the person/],
  ['constructor', 'declined', /person in: it has a problem of its own$/],
])('the second status code %s stands in the trace, in words', async (second, failure, words) => {
  const of = await company(portal)
  const person = await employee(portal, of)
  const craft = (asked: Asked) => {
    const xml = responseXml({ ...answerTo(asked, { nameId: person.email }), status: 'Responder' }, '')
    const code = `<samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:${second}"/></samlp:StatusCode>`
    return xml.replace(/(<samlp:StatusCode[^>]*)\/>/, `$1>${code}`)
  }
  expect(await attempt(portal, { company: of, craft })).toEqual(refused(words))
  const [newest] = (await root.get(`/api/saml-configs/${of.configId}/sign-ins`)).json()
  expect(newest).toMatchObject({ failure, detail: expect.stringMatching(words) })
})
