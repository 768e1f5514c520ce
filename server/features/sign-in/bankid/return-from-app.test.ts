import { describe, expect, test } from 'vitest'
import { portalWithBankId } from '#test/bankid.ts'
import { traceChanges } from '#test/traces.ts'

const { portal, bankid } = await portalWithBankId()
const { customer, isSignedIn } = bankid
const here = { device: 'this' } as const
const events = (email: string) =>
  portal.system.db.selectFrom('auditEvents').select(['name', 'changes']).where('target', '=', email).execute()

describe('an attacker who sends a victim the app link of their own sign-in', () => {
  test('is not signed in as the victim, who sees that the sign-in started elsewhere', async () => {
    const { email, ssn } = await customer()
    const attacker = await bankid.begin(email, { ...here, startAt: '/login?returnTo=%2Faccount' })
    const goTo = bankid.identifyHere(attacker, ssn)
    // Also after repeated polls and posts.
    expect(await attacker.state('opened')).toMatchObject({ status: 'pending', message: 'rfa21' })
    expect((await attacker.complete()).headers.location).toBe(attacker.page)

    const victim = portal.browser()
    const { url, response } = await victim.follow(await victim.get(goTo))
    expect(url).toMatch(/^\/interaction\/[\w-]+\?/)
    expect(Object.fromEntries(new URL(url, 'http://portal.test').searchParams)).toEqual({ email, error: 'signInOver' })
    expect(response.statusCode).toBe(200)
    expect(await attacker.state('opened')).toMatchObject({ status: 'failed', message: 'rfa3' })
    expect((await attacker.complete()).headers.location).toBe(attacker.page)
    expect([await isSignedIn(attacker.browser), await isSignedIn(victim)]).toEqual([false, false])
    const reason = { property: 'reason', previousValue: null, newValue: 'the sign-in was started in another browser' }
    const changes = [...traceChanges('bankid'), reason]
    expect(await events(email)).toEqual([{ name: 'loginFailure', changes }])
  })

  test('is not signed in when the victim closes the app without returning', async () => {
    const { email, ssn } = await customer()
    const attacker = await bankid.begin(email, here)
    bankid.identifyHere(attacker, ssn)
    for (let look = 0; look < 3; look++) {
      expect((await attacker.state()).status).toBe('pending')
      portal.advance(30)
    }
    expect((await attacker.complete()).headers.location).toBe(attacker.page)
    portal.advance(31)
    expect(await attacker.state()).toMatchObject({ status: 'failed', message: 'rfa3' })
    expect(await isSignedIn(attacker.browser)).toBe(false)
  })

  test.each(['', '?nonce=', '?nonce=made-up', `?nonce=${'x'.repeat(200)}`])(
    'cannot continue with %j',
    async (query) => {
      const { email, ssn } = await customer()
      const attacker = await bankid.begin(email, here)
      bankid.identifyHere(attacker, ssn)
      const { location } = (await attacker.browser.get(`${attacker.page}/bankid/back${query}`)).headers
      expect(location).toBe(attacker.page)
      expect((await attacker.state()).status).toBe('pending')
    },
  )

  test('cannot continue with the nonce of another sign-in of theirs', async () => {
    const [attacker, victim] = [await customer(), await customer()]
    const [own, lure] = [await bankid.begin(attacker.email, here), await bankid.begin(victim.email, here)]
    const nonce = new URL(bankid.identifyHere(own, attacker.ssn), 'http://portal.test').search
    bankid.identifyHere(lure, victim.ssn)
    await lure.browser.get(`${lure.page}/bankid/back${nonce}`)
    expect((await lure.state()).status).toBe('pending')
    expect((await lure.complete()).headers.location).toBe(lure.page)
  })

  test('gets no link in a sign-in with a QR code', async () => {
    const { email } = await customer()
    const { begun } = await bankid.begin(email)
    expect(begun).toMatchObject({ device: 'other', autoStartToken: null, qrData: expect.stringMatching(/^bankid\./) })
    expect(portal.bankid.orders.waiting()[0]?.returnUrl).toBeUndefined()
    expect((await bankid.begin(email, here)).begun).toMatchObject({ device: 'this', qrData: null })
  })
})

describe('the browser that started the sign-in', () => {
  test('may return before or while the portal calls BankID', async () => {
    const { email, ssn } = await customer()
    const signIn = await bankid.begin(email, here)
    const goTo = bankid.identifyHere(signIn, ssn)
    const { collect } = portal.bankid.bankid
    portal.bankid.bankid.collect = async (orderRef) => {
      portal.bankid.bankid.collect = collect
      await signIn.browser.get(goTo)
      return collect(orderRef)
    }
    expect((await signIn.state()).status).toBe('complete')
    expect((await signIn.complete()).headers.location).toBe('/')
    // Loading that address again leads to where the sign-in went.
    expect((await signIn.browser.follow(await signIn.browser.get(goTo))).url).toBe('/')
  })

  test('cannot return with an order that was replaced', async () => {
    const { email, ssn } = await customer()
    const signIn = await bankid.begin(email, here)
    const goTo = bankid.identifyHere(signIn, ssn)
    const again = (await bankid.start(signIn.browser, signIn.page, email, here)).json()
    await signIn.browser.get(goTo)
    bankid.identifyHere({ ...signIn, begun: again }, ssn)
    expect((await signIn.state()).status).toBe('pending')
    expect((await signIn.complete()).headers.location).toBe(signIn.page)
  })

  const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'
  test.each([
    ['Safari', `${iphone} Version/18.5 Mobile/15E148 Safari/604.1`, 'http://portal.test/interaction/'],
    ['Chrome', `${iphone} CriOS/140.0 Mobile/15E148 Safari/604.1`, 'googlechrome://portal.test/interaction/'],
    [
      'Firefox',
      `${iphone} FxiOS/140.0 Mobile/15E148 Safari/604.1`,
      'firefox://open-url?url=http%3A%2F%2Fportal.test%2F',
    ],
    ['Edge', `${iphone} EdgiOS/140.0 Mobile/15E148 Safari/604.1`, 'microsoft-edge-http://portal.test/interaction/'],
  ])('on iOS is opened by its own URL scheme: %s', async (_, userAgent, beginning) => {
    const { email } = await customer()
    const { browser, page } = await bankid.begin(email)
    await browser.post(`${page}/bankid/start`, { email, ...here }, { 'user-agent': userAgent })
    expect(portal.bankid.orders.waiting()[0]?.returnUrl).toSatisfy((url: string) => url.startsWith(beginning))
  })
})

test('the nonce of the return address is stored only hashed, and sent only to BankID', async () => {
  const { email } = await customer()
  const signIn = await bankid.begin(email, here)
  const nonce = new URL(portal.bankid.orders.waiting()[0]?.returnUrl ?? '').searchParams.get('nonce') ?? ''
  expect(nonce).toMatch(/^[\w-]{43}$/)
  await portal.browser().get(`${signIn.page}/bankid/back?nonce=${nonce}`)
  const stored = await portal.system.db.selectFrom('oneTimeThings').selectAll().execute()
  for (const place of [stored, portal.logged, signIn.begun, await signIn.state()])
    expect(JSON.stringify(place)).not.toContain(nonce)
})
