import { describe, expect, test, vi } from 'vitest'
import { portalWithBankId } from '#test/bankid.ts'

const { portal, bankid } = await portalWithBankId()
const { customer, isSignedIn } = bankid
const successes = async (email: string) =>
  (
    await portal.system.db
      .selectFrom('auditEvents')
      .select('name')
      .where('target', '=', email)
      .where('name', '=', 'loginSuccess')
      .execute()
  ).length

describe('a person who identified as themselves cannot sign in as another', () => {
  test('by giving another address once the order is completed', async () => {
    const [attacker, victim] = [await customer(), await customer()]
    const signIn = await bankid.begin(attacker.email)
    expect((await bankid.identify(signIn, attacker.ssn)).status).toBe('complete')
    await bankid.start(signIn.browser, signIn.page, victim.email)
    expect((await signIn.complete()).headers.location).toBe(signIn.page)
    expect([await isSignedIn(signIn.browser), await successes(victim.email)]).toEqual([false, 0])
  })

  test('by giving another address while BankID is being called', async () => {
    const [attacker, victim] = [await customer(), await customer()]
    const signIn = await bankid.begin(attacker.email)
    const person = { personalNumber: attacker.ssn, givenName: 'Åsa', surname: 'Öberg' }
    portal.bankid.orders.identify(bankid.scan(await signIn.state()), person)
    portal.advance(2)
    const { collect } = portal.bankid.bankid
    portal.bankid.bankid.collect = async (orderRef) => {
      portal.bankid.bankid.collect = collect
      const told = await collect(orderRef)
      await bankid.start(signIn.browser, signIn.page, victim.email)
      return told
    }
    expect((await signIn.state()).status).toBe('pending')
    expect((await signIn.complete()).headers.location).toBe(signIn.page)
    expect([await isSignedIn(signIn.browser), await successes(victim.email)]).toEqual([false, 0])
  })

  test('by an address in the form', async () => {
    const [attacker, victim] = [await customer(), await customer()]
    const signIn = await bankid.begin(attacker.email)
    await bankid.identify(signIn, attacker.ssn)
    await signIn.browser.submit(`${signIn.page}/bankid`, { email: victim.email })
    expect((await signIn.browser.get('/api/me')).json().email).toBe(attacker.email)
    expect(await successes(victim.email)).toBe(0)
  })

  test('by using their own cookie at the address of another sign-in', async () => {
    const [attacker, victim] = [await customer(), await customer()]
    const [own, theirs] = [await bankid.begin(attacker.email), await bankid.begin(victim.email)]
    await bankid.identify(theirs, victim.ssn)
    for (const [name, value] of Object.entries(own.browser.cookies(own.page)))
      own.browser.setCookie(name, value, theirs.page)
    expect((await own.browser.get(`${theirs.page}/bankid`)).statusCode).toBe(404)
    expect((await own.browser.submit(`${theirs.page}/bankid`, {})).headers.location).toBe('/login')
    expect([await isSignedIn(own.browser), await successes(victim.email)]).toEqual([false, 0])
  })
})

describe("another site's page can do nothing with a browser's order", () => {
  const foreign = [
    { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    { 'sec-fetch-site': 'same-site', origin: 'http://evil.portal.test' },
  ]
  test.each(foreign)('cannot start, end or complete it: %o', async (headers) => {
    const { email, ssn } = await customer()
    const signIn = await bankid.begin(email)
    await bankid.identify(signIn, ssn)
    const { browser, page } = signIn
    expect((await browser.post(`${page}/bankid/start`, { email }, headers)).statusCode).toBe(403)
    expect((await browser.post(`${page}/bankid/cancel`, {}, headers)).statusCode).toBe(403)
    expect((await browser.submit(`${page}/bankid`, {}, headers)).statusCode).toBe(403)
    expect(await isSignedIn(browser)).toBe(false)
    expect((await signIn.complete()).headers.location).toBe('/')
  })
})

test('a session that an attacker planted in the browser is not reused (session fixation)', async () => {
  const { email, ssn } = await customer()
  const browser = portal.browser()
  browser.setCookie('portal_session', 'planted')
  await bankid.signIn(email, ssn, { browser })
  expect(await isSignedIn(browser)).toBe(true)
  const attacker = portal.browser()
  attacker.setCookie('portal_session', 'planted')
  expect(await isSignedIn(attacker)).toBe(false)
})

test('an order names no person, so an attacker cannot make a phone ring', async () => {
  const { email, ssn } = await customer()
  const begin = vi.spyOn(portal.bankid.bankid, 'begin')
  await bankid.begin(email)
  await bankid.begin(email, { device: 'this' })
  const told = begin.mock.calls.map(([request]) => JSON.stringify(request))
  begin.mockRestore()
  expect(told).toHaveLength(2)
  for (const request of told)
    for (const secret of [email, encodeURIComponent(email), ssn]) expect(request).not.toContain(secret)
})

test('an unknown address causes the same database queries as a known one', async () => {
  const [known, other] = [await customer(), await customer()]
  const asked = vi.spyOn(portal.system.db.getExecutor(), 'executeQuery')
  const queriesFor = async (email: string) => {
    const signIn = await bankid.begin(email)
    await bankid.identify(signIn, other.ssn)
    asked.mockClear()
    await signIn.complete()
    return asked.mock.calls.length
  }
  const unknown = await queriesFor('nobody@unknown.example')
  expect(unknown).toBeGreaterThan(1)
  expect(await queriesFor(known.email)).toBe(unknown)
})
