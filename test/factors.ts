import { fromBase32, stepAt, totp } from '#server/credentials/factors/totp.ts'
import type { Client } from './client.ts'
import { outboxOf } from './outbox.ts'
import { type Person, testPassword } from './people.ts'
import { openSignIn } from './sign-in.ts'
import type { TestApp } from './test-app.ts'

/** Common steps of tests about second factors. */
export function factorsOf(portal: TestApp) {
  const outbox = outboxOf(portal)

  /** Proves a mailed code in a session. */
  async function proveCode(browser: Client, { email }: Person): Promise<void> {
    await browser.post('/api/step-up/code', {})
    const code = await outbox.codeSentTo(email)
    const { statusCode } = await browser.post('/api/step-up/code/verify', { code })
    if (statusCode !== 204) throw new Error(`the code was answered with ${statusCode}`)
  }

  /** Adds an app. @returns what its phone shows, so many steps from now */
  async function addApp(browser: Client) {
    const { secret, setup } = (await browser.post('/api/profile/app', {})).json()
    const codeOf = (later = 0) => totp(fromBase32(secret), stepAt(portal.now()) + later)
    const { statusCode } = await browser.post('/api/profile/app/confirm', { setup, code: codeOf() })
    if (statusCode !== 204) throw new Error(`the app was answered with ${statusCode}`)
    return codeOf
  }

  /** Signs in with the password and adds an app. */
  async function giveApp(person: Person) {
    const browser = await portal.signedIn(person)
    await proveCode(browser, person)
    return { browser, codeOf: await addApp(browser) }
  }

  const start = (browser: Client, { email }: Person, more: object = {}) =>
    browser.post('/api/start-2fa-login', { email, password: testPassword, ...more })
  const verify = (browser: Client, { email }: Person, code: string) =>
    browser.post('/api/verify-credentials-2fa', { email, password: testPassword, code })

  /** The whole sign-in with a code, in a browser that has begun it. */
  async function complete(browser: Client, page: string, person: Person, code: string): Promise<Client> {
    const { statusCode } = await verify(browser, person, code)
    if (statusCode !== 204) throw new Error(`the code was answered with ${statusCode}`)
    const { email } = person
    await browser.follow(await browser.submit(`${page}/login`, { email, login: email, password: '', code: '' }))
    return browser
  }

  /** Signs in with the password and a mailed code. */
  async function signedInByMail(person: Person): Promise<Client> {
    const browser = portal.browser()
    const { page } = await openSignIn(browser)
    await start(browser, person, { codeDeliveryType: 'email' })
    return complete(browser, page, person, await outbox.codeSentTo(person.email))
  }

  return { proveCode, addApp, giveApp, start, verify, complete, signedInByMail }
}
