import type { Client } from './client.ts'
import { testPassword } from './people.ts'

/** A started sign-in, at the e-mail step. */
export interface OpenSignIn {
  uid: string
  /** `/interaction/{uid}` */
  page: string
}

/** Starts a sign-in with `/login`, or with another address that redirects to one. */
export async function openSignIn(browser: Client, start = '/login'): Promise<OpenSignIn> {
  const { response, url } = await browser.follow(await browser.get(start, { accept: 'text/html' }))
  const [page = ''] = url.split('?')
  const uid = /^\/interaction\/([\w-]+)$/.exec(page)?.[1]
  if (!uid) throw new Error(`${start} led to ${url} (${response.statusCode}) and not to a sign-in`)
  return { uid, page }
}

/** Posts the form of a sign-in, without following the redirect. */
export const submitPassword = (browser: Client, page: string, email: string, password = testPassword) =>
  browser.submit(`${page}/login`, { email, login: 'local', password, code: '' })

/** Posts the form and follows the redirects. @returns the final address */
export async function finishSignIn(browser: Client, page: string, email: string, password = testPassword) {
  const { url } = await browser.follow(await submitPassword(browser, page, email, password))
  return url
}

/** Proves the test password once more: time has passed, and what follows is dangerous. */
export async function proveAgain(client: Client): Promise<void> {
  const { statusCode, body } = await client.post('/api/step-up/password', { password: testPassword })
  if (statusCode !== 204) throw new Error(`the password was not proven again: ${body}`)
}
