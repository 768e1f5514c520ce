import { afterAll, beforeEach } from 'vitest'
import type { BankidState } from '#contract/bankid.ts'
import { testPersonalNumber } from '#server/demo/test-personal-number.ts'
import type { Client } from './client.ts'
import { openSignIn } from './sign-in.ts'
import { type TestApp, testApp } from './test-app.ts'

type Scenario = NonNullable<Parameters<TestApp['bankid']['orders']['identify']>[2]>

/** A sign-in with BankID that was begun in a browser. */
export interface BankIdSignIn {
  browser: Client
  uid: string
  page: string
  /** What the start answered. */
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

/** A portal for one test file about BankID, which ends with it. What one test used up of a limit is long over for the next. */
export async function portalWithBankId() {
  const portal = await testApp()
  afterAll(() => portal.close())
  beforeEach(() => portal.advance(3600))
  return { portal, bankid: bankIdOf(portal) }
}

/** What a test about BankID does again and again. */
export function bankIdOf(portal: TestApp) {
  const { orders } = portal.bankid
  let day = 0
  /** A number of the test series that nobody has yet. */
  const newNumber = () =>
    testPersonalNumber(new Date(Date.UTC(1950, 0, ++day)).toISOString().slice(0, 10).replaceAll('-', ''))
  /** Somebody who signs in with BankID. */
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

  /** Somebody scans the code that the page shows. */
  function scan({ qrData }: BankidState) {
    const order = orders.scan(qrData ?? '')
    if (!order) throw new Error('the code opens nothing')
    return order.id
  }

  /** Scans and identifies as the owner of a number; the page has heard of it. */
  async function identify(signIn: BankIdSignIn, personalNumber: string, scenario: Scenario = 'ok') {
    orders.identify(scan(await signIn.state()), { personalNumber, givenName: 'Åsa', surname: 'Öberg' }, scenario)
    portal.advance(2)
    return signIn.state()
  }

  /** All of it. @returns where the form leads */
  async function signIn(email: string, personalNumber: string, options: BeginOptions = {}) {
    const begun = await begin(email, options)
    const state = await identify(begun, personalNumber)
    if (state.status !== 'complete') throw new Error(`BankID says ${state.message}`)
    return { ...begun, location: String((await begun.complete()).headers.location) }
  }

  /**
   * Somebody opens the app by the link of a sign-in that is for this device, and identifies in it.
   *
   * @returns where the app leads then, on this origin
   */
  function identifyHere({ begun }: BankIdSignIn, personalNumber: string, scenario: Scenario = 'ok'): string {
    const order = orders.autostart(begun.autoStartToken ?? '')
    const person = { personalNumber, givenName: 'Åsa', surname: 'Öberg' }
    const goTo = orders.identify(order?.id ?? '', person, scenario)?.goTo
    if (!goTo) throw new Error('the app leads nowhere')
    portal.advance(2)
    const { pathname, search } = new URL(goTo)
    return pathname + search
  }

  return { newNumber, customer, isSignedIn, start, begin, scan, identify, identifyHere, signIn }
}
