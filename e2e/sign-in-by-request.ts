import { type APIRequestContext, expect, request } from '@playwright/test'
import { demoPassword } from './people.ts'

/**
 * Signs a user in without a page, with the forms for browsers without JavaScript: ten times faster. sign-in.e2e.ts
 * tests the page itself.
 *
 * @returns API calls as this user; the caller must dispose of them
 */
export async function signInByRequest(portal: string, email: string): Promise<APIRequestContext> {
  const person = await request.newContext({
    baseURL: portal,
    extraHTTPHeaders: { origin: portal, 'accept-language': 'sv-SE' },
  })
  const page = await person.get('/login', { headers: { accept: 'text/html' } })
  const form = { email, login: 'local', password: demoPassword, code: '' }
  const answer = await person.post(`${new URL(page.url()).pathname}/login`, { form, headers: { accept: 'text/html' } })
  expect(answer.url(), `${email} could not sign in`).toBe(`${portal}/`)
  return person
}
