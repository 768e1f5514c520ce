import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import { expect } from 'vitest'
import { answerOf, bearer, issuer, type RelyingParty } from '../relying-party.ts'
import { modulesOf } from './module.ts'

/** What userinfo must say for a scope, and what not. The ID token then has none of it (Core 5.4). */
const scoped =
  (scope: string, given: Record<string, unknown>, absent: string[] = []) =>
  async ({ tokensFor, call, person }: RelyingParty) => {
    const { access_token, id_token } = await tokensFor({ scope })
    const { body } = await call('/oidc/me', undefined, bearer(access_token))
    expect(body).toMatchObject({ sub: person.accountId, ...given })
    for (const claim of absent) expect(body).not.toHaveProperty(claim)
    for (const claim of Object.keys(given)) expect(decodeJwt(id_token)).not.toHaveProperty(claim)
  }
const names = { name: 'Åsa Öberg', given_name: 'Åsa', family_name: 'Öberg' }
const address = { email: expect.any(String), email_verified: expect.any(Boolean) }
const phone = { phone_number: '+46701234567', phone_number_verified: expect.any(Boolean) }

/** Userinfo names the person of the ID token. */
const userInfo =
  (ask: (party: RelyingParty, token: string) => ReturnType<RelyingParty['call']>) => async (party: RelyingParty) => {
    const { access_token } = await party.tokensFor()
    expect(await ask(party, access_token)).toMatchObject({ status: 200, body: { sub: party.person.accountId } })
  }

/** The first modules of the Basic plan: the answer, the tokens and userinfo. */
export const answers = modulesOf<RelyingParty>({
  'oidcc-server': {
    demands: 'a whole sign-in, and an ID token with all that it must have',
    async check({ portal, services, clientId, person, call, ask, signIn }) {
      const by = portal.browser()
      const page = await ask({}, by)
      expect(page.pathname).toMatch(/^\/interaction\//)
      const end = await signIn(by, page)
      expect(answerOf(end)).toEqual({ code: expect.any(String), state: 'the state', iss: issuer })
      const tokens = await services.tokensAt(clientId, end.href)
      expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 900 })
      const claims = decodeJwt(tokens.id_token)
      expect(claims).toMatchObject({ iss: issuer, aud: clientId, sub: person.accountId, nonce: 'the nonce' })
      expect(Number(claims.exp)).toBeGreaterThan(Number(claims.iat))
      const { keys } = (await call('/oidc/jwks')).body
      const { alg, kid } = decodeProtectedHeader(tokens.id_token)
      expect(alg).toBe('RS256')
      expect(keys.map((key: { kid: string }) => key.kid)).toContain(kid)
    },
  },
  'oidcc-response-type-missing': {
    demands: 'an error for the service, with its state',
    async check({ ask }) {
      expect(answerOf(await ask({ response_type: '' }))).toMatchObject({
        error: 'invalid_request',
        state: 'the state',
      })
    },
  },
  'oidcc-idtoken-signature': {
    demands: 'an ID token signed with a published key, which its `kid` names',
    async check({ tokensFor, call, clientId }) {
      const { id_token } = await tokensFor()
      const { alg, kid } = decodeProtectedHeader(id_token)
      expect([alg, kid]).toEqual(['RS256', expect.any(String)])
      await jwtVerify(id_token, createLocalJWKSet((await call('/oidc/jwks')).body), { issuer, audience: clientId })
    },
  },
  'oidcc-idtoken-unsigned': {
    demands: 'an ID token without a signature, where the metadata offers it',
    notApplicable: 'the metadata does not offer `none`',
    async check({ discovery }) {
      expect((await discovery()).id_token_signing_alg_values_supported).not.toContain('none')
    },
  },
  'oidcc-userinfo-get': {
    demands: 'userinfo by GET, with the token in the header',
    check: userInfo(({ call }, token) => call('/oidc/me', undefined, bearer(token))),
  },
  'oidcc-userinfo-post-header': {
    demands: 'userinfo by POST, with the token in the header',
    check: userInfo(({ call }, token) => call('/oidc/me', {}, bearer(token))),
  },
  'oidcc-userinfo-post-body': {
    demands: 'userinfo by POST, with the token in the body',
    check: userInfo(({ call }, token) => call('/oidc/me', { access_token: token })),
  },
  'oidcc-ensure-request-without-nonce-succeeds-for-code-flow': {
    demands: 'a sign-in without `nonce`, and none in the ID token',
    async check({ tokensFor }) {
      expect(decodeJwt((await tokensFor({ nonce: '' })).id_token)).not.toHaveProperty('nonce')
    },
  },
  'oidcc-scope-profile': {
    demands: 'the names, from userinfo, and no other claims',
    check: scoped('openid profile', names, ['email', 'phone_number']),
  },
  'oidcc-scope-email': {
    demands: 'the address and whether it is verified, and no other claims',
    check: scoped('openid email', address, ['name', 'phone_number']),
  },
  'oidcc-scope-address': {
    demands: 'the postal address, where the metadata offers the scope',
    notApplicable: 'the metadata does not offer the scope `address`; a request with it succeeds without the claim',
    async check(party) {
      expect((await party.discovery()).scopes_supported).not.toContain('address')
      await scoped('openid address', {}, ['address', 'name', 'email'])(party)
    },
  },
  'oidcc-scope-phone': {
    demands: 'the telephone number and whether it is verified, and no other claims',
    check: scoped('openid phone', phone, ['name', 'email']),
  },
  'oidcc-scope-all': {
    demands: 'the claims of all scopes at once',
    check: scoped('openid profile email address phone', { ...names, ...address, ...phone }),
  },
  'oidcc-alternate-happy-flow': {
    demands: 'the same, whatever the order of the scopes and of the parameters',
    async check(party) {
      const { services, clientId, browser, endOf, call, person } = party
      const reversed = Object.entries(services.parametersFor(clientId, { scope: 'email openid' })).reverse()
      const end = await endOf(browser, await browser.get(`/oidc/auth?${new URLSearchParams(reversed)}`))
      const { access_token } = await services.tokensAt(clientId, end.href)
      const { body } = await call('/oidc/me', undefined, bearer(access_token))
      expect(body).toMatchObject({ sub: person.accountId, ...address })
      expect(body).not.toHaveProperty('name')
    },
  },
})
