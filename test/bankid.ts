import { afterAll, beforeEach } from 'vitest'
import type { BankidState } from '#contract/sign-in/bankid.ts'
import { testPersonalNumber } from '#server/demo/test-personal-number.ts'
import type { Client } from './client.ts'
import { openSignIn } from './sign-in.ts'
import { type TestApp, testApp } from './test-app.ts'

type Scenario = NonNullable<Parameters<TestApp['bankid']['orders']['identify']>[2]>

/** A sign-in with BankID that was started in a browser. */
export interface BankIdSignIn {
  browser: Client
  uid: string
  page: string
  /** The response of the start. */
  begun: BankidState
  /** @param opened the link to the app on this device was followed */
  state(opened?: 'opened'): Promise<BankidState>
  /** Posts the form, without following where it leads. */
  complete(): ReturnType<Client['submit']>
}

interface BeginOptions {
  browser?: Client
  startAt?: string
  device?: 'this'
}

/** Opens a portal for a test file about BankID and closes it at the end. Rate limits are reset between tests. */
export async function portalWithBankId() {
  const portal = await testApp()
  afterAll(() => portal.close())
  beforeEach(() => portal.advance(3600))
  return { portal, bankid: bankIdOf(portal) }
}

/** Common steps of tests about BankID. */
export function bankIdOf(portal: TestApp) {
  const { orders } = portal.bankid
  let day = 0
  /** An unused number of the test series. */
  const newNumber = () =>
    testPersonalNumber(new Date(Date.UTC(1950, 0, ++day)).toISOString().slice(0, 10).replaceAll('-', ''))
  /** Creates a person who signs in with BankID. */
  async function customer(options: Parameters<TestApp['person']>[0] = {}) {
    const ssn = newNumber()
    return { ssn, ...(await portal.person({ loginMethod: 'bankid', ssn, ...options })) }
  }
  const isSignedIn = async (browser: Client) => (await browser.get('/api/me')).statusCode === 200
  const start = (browser: Client, page: string, email: string, more: object = {}) =>
    browser.post(`${page}/bankid/start`, { email, ...more })

  async function begin(
    email: string,
    { browser = portal.browser(), startAt = '/login', ...more }: BeginOptions = {},
  ): Promise<BankIdSignIn> {
    const { uid, page } = await openSignIn(browser, startAt)
    const response = await start(browser, page, email, more)
    if (response.statusCode !== 200) throw new Error(`the start was answered with ${response.statusCode}`)
    return {
      browser,
      uid,
      page,
      begun: response.json(),
      state: async (opened) => (await browser.get(`${page}/bankid${opened ? '?opened=yes' : ''}`)).json(),
      complete: () => browser.submit(`${page}/bankid`, {}),
    }
  }

  /** Scans the QR code that the page shows. */
  function scan({ qrData }: BankidState) {
    const order = orders.scan(qrData ?? '')
    if (!order) throw new Error('no order has this QR code')
    return order.id
  }

  /** Scans and identifies as the owner of a number, and polls until the page knows the result. */
  async function identify(signIn: BankIdSignIn, personalNumber: string, scenario: Scenario = 'ok') {
    orders.identify(scan(await signIn.state()), { personalNumber, givenName: 'Åsa', surname: 'Öberg' }, scenario)
    portal.advance(2)
    return signIn.state()
  }

  /** A complete sign-in. @returns the redirect of the form */
  async function signIn(email: string, personalNumber: string, options: BeginOptions = {}) {
    const begun = await begin(email, options)
    const state = await identify(begun, personalNumber)
    if (state.status !== 'complete') throw new Error(`BankID says ${state.message}`)
    return { ...begun, location: String((await begun.complete()).headers.location) }
  }

  /**
   * Opens the app with the link of a sign-in on this device, and identifies.
   *
   * @returns the path that the app opens next, on this origin
   */
  function identifyHere({ begun }: BankIdSignIn, personalNumber: string, scenario: Scenario = 'ok'): string {
    const order = orders.autostart(begun.autoStartToken ?? '')
    const person = { personalNumber, givenName: 'Åsa', surname: 'Öberg' }
    const goTo = orders.identify(order?.id ?? '', person, scenario)?.goTo
    if (!goTo) throw new Error('the app has no return address')
    portal.advance(2)
    const { pathname, search } = new URL(goTo)
    return pathname + search
  }

  return { newNumber, customer, isSignedIn, start, begin, scan, identify, identifyHere, signIn }
}
