import { expect } from 'vitest'
import { issuer, type RelyingParty } from '../relying-party.ts'
import { signedOut } from '../service.ts'
import { modulesOf } from './module.ts'

type Parameters = (idToken: string) => Record<string, string>

/** Asks for a sign-out, and confirms it where the portal's page asks. */
async function leave({ services, clientId, person, ask }: RelyingParty, parameters: Parameters) {
  const { browser: by, tokens } = await services.signInTo(clientId, person)
  const query = new URLSearchParams(parameters(tokens.id_token))
  const asked = await by.get(`/oidc/session/end?${query}`, { accept: 'text/html' })
  const { location } = asked.headers
  const end = location === '/logout' ? (await by.submit('/logout', {})).headers.location : location
  return { status: asked.statusCode, end, signedIn: (await ask({ prompt: 'none' }, by)).searchParams.has('code') }
}

const leads = (demands: string, end: string, parameters: Parameters) => ({
  demands,
  check: async (party: RelyingParty) =>
    expect(await leave(party, parameters)).toEqual({ status: 303, end, signedIn: false }),
})
const refused = (demands: string, ...each: Parameters[]) => ({
  demands: `an error page, and the person stays signed in: ${demands}`,
  async check(party: RelyingParty) {
    for (const parameters of each)
      expect(await leave(party, parameters)).toEqual({ status: 400, end: undefined, signedIn: true })
  },
})
const goal = { post_logout_redirect_uri: signedOut }
const own = 'the person is signed out, and sees a page of the portal'

/** The same claims under `alg: none`. */
const withoutSignature = (token: string) =>
  `${Buffer.from('{"alg":"none"}').toString('base64url')}.${token.split('.')[1]}.`

/** The plan for RP-Initiated Logout. */
export const logout = modulesOf<RelyingParty>({
  'oidcc-rp-initiated-logout-discovery-endpoint-verification': {
    demands: 'the endpoint in the metadata',
    async check({ discovery }) {
      expect(await discovery()).toMatchObject({ issuer, end_session_endpoint: `${issuer}/session/end` })
    },
  },
  'oidcc-rp-initiated-logout': leads(
    'the person is signed out, and the browser goes back to the service with its state',
    `${signedOut}?state=bye`,
    (hint) => ({ id_token_hint: hint, ...goal, state: 'bye' }),
  ),
  'oidcc-rp-initiated-logout-bad-post-logout-redirect-uri': refused('an address that is not registered', (hint) => ({
    id_token_hint: hint,
    post_logout_redirect_uri: `${signedOut}2`,
  })),
  'oidcc-rp-initiated-logout-modified-id-token-hint': refused(
    'an ID token without its signature, or with another',
    (hint) => ({ id_token_hint: withoutSignature(hint), ...goal, state: 'bye' }),
    (hint) => ({ id_token_hint: `${hint.slice(0, -8)}AAAAAAAA`, ...goal }),
  ),
  'oidcc-rp-initiated-logout-no-id-token-hint': leads(own, '/signed-out', () => ({ ...goal, state: 'bye' })),
  'oidcc-rp-initiated-logout-no-params': leads(own, '/signed-out', () => ({})),
  'oidcc-rp-initiated-logout-no-post-logout-redirect-uri': leads(own, '/signed-out', (hint) => ({
    id_token_hint: hint,
    state: 'bye',
  })),
  'oidcc-rp-initiated-logout-no-state': leads(
    'the person is signed out, and the browser goes back to the service',
    signedOut,
    (hint) => ({ id_token_hint: hint, ...goal }),
  ),
  'oidcc-rp-initiated-logout-only-state': leads(own, '/signed-out', () => ({ state: 'bye' })),
  'oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri': refused(
    'a registered address with a query that is not',
    (hint) => ({ id_token_hint: hint, post_logout_redirect_uri: `${signedOut}?a=b` }),
  ),
  'oidcc-rp-initiated-logout-bad-id-token-hint': refused('what is no ID token', () => ({
    id_token_hint: 'bad',
    ...goal,
  })),
})
