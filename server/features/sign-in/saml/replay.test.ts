import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Client } from '#test/client.ts'
import type { Person } from '#test/people.ts'
import { beganAgain, outcomeOf, refused, signedIn } from '#test/saml/attempt.ts'
import { type Asked, askCompany, type Company, company, companyAnswer, deliver, employee } from '#test/saml/company.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let theirs: Company
let person: Person
let browser: Client
let asked: Asked
beforeAll(async () => {
  portal = await testApp()
  theirs = await company(portal)
})
afterAll(() => portal.close())
beforeEach(async () => {
  person = await employee(portal, theirs)
  browser = portal.browser()
  asked = await askCompany(portal, browser, theirs)
})

const answer = (to = asked, of = theirs) => companyAnswer(of, to, { nameId: person.email })
const post = (xml = answer(), relayState = asked.relayState, of = theirs) => deliver(portal, of, xml, relayState)
const locationOf = async (response: ReturnType<typeof post>) => String((await response).headers.location)

describe('a response is accepted once', () => {
  test('when it is posted again, in the same browser or another', async () => {
    const xml = answer()
    expect(await outcomeOf(portal, browser, () => post(xml))).toEqual(signedIn(person))
    expect(await outcomeOf(portal, portal.browser(), () => post(xml))).toEqual(refused(/answered or has expired/))
    await browser.post('/logout')
    browser.forgetCookies()
    expect(await outcomeOf(portal, browser, () => post(xml))).toEqual(refused(/answered or has expired/))
  })

  test('when it is posted concurrently, to several processes', async () => {
    const node = await portal.anotherNode()
    const xml = answer()
    const form = { SAMLResponse: Buffer.from(xml).toString('base64'), RelayState: asked.relayState }
    const address = `/saml/${theirs.configId}/acs`
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, number) =>
        (number % 2 ? node : portal).browser().submit(address, form, { 'sec-fetch-site': 'cross-site' }),
      ),
    )
    await node.close()
    const tickets = answers.filter(({ headers }) => String(headers.location).includes('/saml/complete?ticket='))
    expect(tickets).toHaveLength(1)
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(8).fill(303))
  })

  test('when different valid responses to one request are posted concurrently', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => locationOf(post(answer()))))
    expect(answers.filter((address) => address.includes('ticket='))).toHaveLength(1)
  })

  test('by the ID of its assertion, which must be unique', async () => {
    const once = { assertionId: '_once' }
    const first = companyAnswer(theirs, asked, { nameId: person.email }, once)
    expect(await outcomeOf(portal, browser, () => post(first))).toEqual(signedIn(person))
    const other = portal.browser()
    const again = await askCompany(portal, other, theirs)
    const second = companyAnswer(theirs, again, { nameId: person.email }, once)
    expect(await outcomeOf(portal, other, () => post(second, again.relayState))).toEqual(refused(/used before/))
  })

  test('and not for another request of the same browser', async () => {
    const xml = answer()
    const again = await askCompany(portal, browser, theirs)
    expect(await outcomeOf(portal, browser, () => post(xml, again.relayState))).toEqual(refused(/for another request/))
  })

  test('and not more than ten minutes after the request', async () => {
    portal.advance(601)
    const late = { ...asked, now: portal.now() }
    expect(await outcomeOf(portal, browser, () => post(answer(late)))).toEqual(refused(/answered or has expired/))
  })
})

describe('the ticket of a response', () => {
  test('works once', async () => {
    const address = await locationOf(post())
    const before = browser.cookies(address)
    expect((await browser.get(address)).headers.location).toBe('/')
    expect((await browser.get('/api/me')).json().email).toBe(person.email)
    const thief = portal.browser()
    for (const [name, value] of Object.entries(before)) thief.setCookie(name, value, `/interaction/${asked.uid}`)
    await thief.follow(await thief.get(address))
    expect((await thief.get('/api/me')).statusCode).toBe(401)
  })

  test('works once with concurrent requests', async () => {
    const address = await locationOf(post())
    const cookies = browser.cookies(address)
    const clients = Array.from({ length: 6 }, () => portal.browser())
    for (const client of clients)
      for (const [name, value] of Object.entries(cookies)) client.setCookie(name, value, `/interaction/${asked.uid}`)
    await Promise.all(clients.map((client) => client.get(address)))
    const statuses = await Promise.all(clients.map(async (client) => (await client.get('/api/me')).statusCode))
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  })

  test('expires soon', async () => {
    const address = await locationOf(post())
    portal.advance(601)
    await browser.follow(await browser.get(address))
    expect((await browser.get('/api/me')).statusCode).toBe(401)
  })

  test('cannot be guessed', async () => {
    for (const ticket of ['', 'x', 'A'.repeat(43), '%00', `${'x'.repeat(5000)}`]) {
      const { response } = await browser.follow(
        await browser.get(`/interaction/${asked.uid}/saml/complete?ticket=${ticket}`),
      )
      expect(response.statusCode).toBe(200)
    }
    expect((await browser.get('/api/me')).statusCode).toBe(401)
  })
})

describe('a browser is signed in only by its own request', () => {
  test('not by the address that another browser was sent to', async () => {
    const address = await locationOf(post())
    const lured = portal.browser()
    const { url } = await lured.follow(await lured.get(address))
    expect(url).toMatch(`https://idp.${theirs.mailDomain}/sso?SAMLRequest=`)
    expect((await lured.get('/api/me')).statusCode).toBe(401)
  })

  test('not by the ticket of another browser, in its own sign-in', async () => {
    const address = await locationOf(post())
    const lured = portal.browser()
    const { uid } = await askCompany(portal, lured, theirs)
    await lured.follow(await lured.get(address.replace(asked.uid, uid)))
    expect((await lured.get('/api/me')).statusCode).toBe(401)
  })

  test('not by a response to its request with the relay state of another', async () => {
    const other = await askCompany(portal, portal.browser(), theirs)
    expect(await outcomeOf(portal, browser, () => post(answer(), other.relayState))).toEqual(
      refused(/for another request/),
    )
    expect(await outcomeOf(portal, browser, () => post(answer(other), asked.relayState))).toEqual(
      refused(/for another request/),
    )
  })
})

describe('an unsolicited response is refused', () => {
  /** For no request: one that names its request is not unsolicited. */
  const unasked = () =>
    companyAnswer(theirs, asked, { nameId: person.email }, { inResponseTo: null, confirmationInResponseTo: null })
  const marks: Record<string, string> = {
    'without a mark': '',
    'with a made-up mark': 'A'.repeat(43),
    'with an address for a mark': 'https://evil.example/',
    'with a path for a mark': '//evil.example',
    'with a mark of U+0000': '\u0000',
    'with a long mark': 'x'.repeat(10_000),
  }
  test.each(Object.entries(marks))('%s', async (_, relayState) => {
    const client = portal.browser()
    const went: string[] = []
    const outcome = await outcomeOf(portal, client, async () => {
      const response = await post(unasked(), relayState)
      went.push(String(response.headers.location))
      return response
    })
    expect(outcome).toEqual(beganAgain(theirs, /unsolicited/))
    expect(went.join()).not.toContain('evil.example')
  })

  test('and the valid one still works after all of them', async () => {
    await post(unasked(), 'made-up')
    expect(await outcomeOf(portal, browser, () => post())).toEqual(signedIn(person))
  })
})

test('two responses to one request sign one person in, and a refused response uses the request up', async () => {
  const other = await employee(portal, theirs)
  const others = companyAnswer(theirs, asked, { nameId: other.email })
  const addresses = [await locationOf(post()), await locationOf(post(others))]
  expect(addresses.filter((address) => address.includes('ticket='))).toHaveLength(1)
  const again = await askCompany(portal, browser, theirs)
  const nobodys = companyAnswer(theirs, again, { nameId: `nobody@${theirs.mailDomain}` })
  expect(await locationOf(post(nobodys, again.relayState))).toContain('error=')
  expect(await locationOf(post(answer(again), again.relayState))).toContain('error=')
})
