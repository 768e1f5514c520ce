import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Person } from '#test/people.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

// The portal and its provider read cookies by libraries of their own: what they read must be the same.

let portal: TestApp
let own: Cookies
let other: Cookies
interface Cookies {
  session: string
  signature: string
}
beforeAll(async () => {
  portal = await testApp()
  const cookiesOf = async (person: Person) => {
    const { portal_session: session = '', 'portal_session.sig': signature = '' } = (
      await portal.signedIn(person)
    ).cookies()
    return { session, signature }
  }
  own = await cookiesOf(await portal.person())
  other = await cookiesOf(await portal.person())
})
afterAll(() => portal?.close())

const get = (url: string, cookie: string) => portal.app.inject({ url, headers: { host: 'portal.test', cookie } })

/** Is there a session for the portal, and for its provider? */
async function sessionsBy(cookie: string) {
  const query = new URLSearchParams({
    client_id: 'portal',
    response_type: 'none',
    scope: 'openid',
    prompt: 'none',
    redirect_uri: 'http://portal.test/signed-in',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
  })
  const [me, authorized] = await Promise.all([get('/api/me', cookie), get(`/oidc/auth?${query}`, cookie)])
  expect(authorized.statusCode).toBe(303)
  return { portal: me.statusCode === 200, provider: !String(authorized.headers.location).includes('error=') }
}

const written: [string, (own: Cookies, other: Cookies) => string, boolean][] = [
  ['as it was given', ({ session, signature }) => `portal_session=${session}; portal_session.sig=${signature}`, true],
  ['without blanks', ({ session, signature }) => `portal_session=${session};portal_session.sig=${signature}`, true],
  [
    'with blanks around it',
    ({ session, signature }) => ` portal_session = ${session} ;  portal_session.sig = ${signature} `,
    true,
  ],
  [
    'among many',
    ({ session, signature }) => `a=b; c="d e"; portal_session=${session}; x; portal_session.sig=${signature}; y=%`,
    true,
  ],
  [
    'before another',
    (a, b) => `portal_session=${a.session}; portal_session.sig=${a.signature}; portal_session=${b.session}`,
    true,
  ],
  [
    'after one that is made up',
    ({ session, signature }) => `portal_session=x; portal_session=${session}; portal_session.sig=${signature}`,
    false,
  ],
  [
    'after an empty one',
    ({ session, signature }) => `portal_session=; portal_session=${session}; portal_session.sig=${signature}`,
    false,
  ],
  ['in quotes', ({ session, signature }) => `portal_session="${session}"; portal_session.sig="${signature}"`, false],
  ['with a quote', ({ session, signature }) => `portal_session="${session}; portal_session.sig=${signature}`, false],
  [
    'encoded',
    ({ session, signature }) =>
      `portal_session=%${session.charCodeAt(0).toString(16)}${session.slice(1)}; portal_session.sig=${signature}`,
    false,
  ],
  ['in capitals', ({ session, signature }) => `PORTAL_SESSION=${session}; PORTAL_SESSION.SIG=${signature}`, false],
  ['with the signature of another', (a, b) => `portal_session=${a.session}; portal_session.sig=${b.signature}`, false],
]

test.each(written)('a session %s is one for both or for neither', async (_, write, isOne) => {
  expect(await sessionsBy(write(own, other))).toEqual({ portal: isOne, provider: isOne })
})
