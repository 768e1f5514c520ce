import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose'
import { expect } from 'vitest'
import { listenForLogouts, logoutsOf } from '../logouts.ts'
import { issuer, type RelyingParty } from '../relying-party.ts'
import { signedOut } from '../service.ts'
import { modulesOf } from './module.ts'

const endpoint = { end_session_endpoint: `${issuer}/session/end` }

/** Signs out as the service asks for it. */
async function leave({ services, person }: RelyingParty, clientId: string) {
  const { browser, tokens } = await services.signInTo(clientId, person)
  const hint = { id_token_hint: tokens.id_token, post_logout_redirect_uri: signedOut, state: 'bye' }
  const out = await browser.get(`/oidc/session/end?${new URLSearchParams(hint)}`, { accept: 'text/html' })
  return { browser, claims: decodeJwt(tokens.id_token), end: out.headers.location }
}

/** The plan for Back-Channel Logout. */
export const backChannel = modulesOf<RelyingParty>({
  'oidcc-backchannel-logout-discovery-endpoint-verification': {
    demands: 'metadata that offers it, with sessions',
    async check({ discovery }) {
      const offered = { backchannel_logout_supported: true, backchannel_logout_session_supported: true }
      expect(await discovery()).toMatchObject({ ...offered, ...endpoint })
    },
  },
  'oidcc-backchannel-rp-initiated-logout': {
    demands: 'one logout token with all that it must have, the way back to the service, and no session any more',
    async check(party) {
      const { portal, services, call, ask } = party
      const receiver = await listenForLogouts()
      try {
        const told = await services.register({ backchannelLogoutUri: receiver.url })
        const { browser, claims, end } = await leave(party, told)
        expect(end).toBe(`${signedOut}?state=bye`)
        expect(await logoutsOf(portal).deliver()).toEqual([])
        const [token = '', ...others] = receiver.tokens
        expect(others).toEqual([])
        const keys = createLocalJWKSet((await call('/oidc/jwks')).body)
        const wanted = { issuer, audience: told, requiredClaims: ['iat', 'jti', 'exp'] }
        const { payload, protectedHeader } = await jwtVerify(token, keys, wanted)
        const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
        expect(payload).toMatchObject({ sub: claims.sub, sid: claims.sid, events })
        expect(payload).not.toHaveProperty('nonce')
        expect(protectedHeader).toMatchObject({ alg: 'RS256', typ: 'logout+jwt', kid: expect.any(String) })
        expect((await ask({ prompt: 'none' }, browser, told)).searchParams.get('error')).toBe('login_required')
      } finally {
        await receiver.close()
      }
    },
  },
})

/** The plan for Front-Channel Logout. */
export const frontChannel = modulesOf<RelyingParty>({
  'oidcc-frontchannel-logout-discovery-endpoint-verification': {
    demands: 'metadata that offers it, with sessions',
    async check({ discovery }) {
      const offered = { frontchannel_logout_supported: true, frontchannel_logout_session_supported: true }
      expect(await discovery()).toMatchObject({ ...offered, ...endpoint })
    },
  },
  'oidcc-frontchannel-rp-initiated-logout': {
    demands: "a page that opens the service's address with issuer and session, and then the way back to the service",
    async check(party) {
      const { services, ask } = party
      const told = await services.register({ frontchannelLogoutUri: 'https://journal.example/leave' })
      const { browser, claims, end } = await leave(party, told)
      expect(end).toBe('/signed-out')
      const page = await browser.get('/signed-out', { accept: 'text/html' })
      expect(page.headers.refresh).toBe(`3;url=${signedOut}?state=bye`)
      expect(page.headers['content-security-policy']).toContain("frame-src 'self' https://journal.example;")
      const frame = `https://journal.example/leave?${new URLSearchParams({ iss: issuer, sid: String(claims.sid) })}`
      expect((await browser.get('/signed-out/services')).json().services).toMatchObject([{ frame }])
      expect((await ask({ prompt: 'none' }, browser, told)).searchParams.get('error')).toBe('login_required')
    },
  },
})
