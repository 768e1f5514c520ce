import { decodeJwt } from 'jose'
import { expect } from 'vitest'
import { answerOf, issuer, type RelyingParty } from '../relying-party.ts'
import { modulesOf } from './module.ts'

/** A parameter that may change nothing, neither for somebody who has yet to sign in nor afterwards. */
const succeeds = (demands: string, more: Record<string, string>) => ({
  demands,
  async check({ portal, services, clientId, person, ask, signIn, tokensFor }: RelyingParty) {
    const by = portal.browser()
    const page = await ask(more, by)
    expect(page.pathname).toMatch(/^\/interaction\//)
    const end = await signIn(by, page)
    expect(answerOf(end)).toEqual({ code: expect.any(String), state: 'the state', iss: issuer })
    for (const { id_token } of [await services.tokensAt(clientId, end.href), await tokensFor(more, by)])
      expect(decodeJwt(id_token)).toMatchObject({ sub: person.accountId, nonce: 'the nonce' })
  },
})

/** Seconds from the sign-in to the token: the clock of these tests does not move the provider's. */
const age = ({ id_token }: { id_token: string }) => {
  const { iat, auth_time } = decodeJwt(id_token)
  return Number(iat) - Number(auth_time)
}

/** A person who signed in a minute ago must sign in again. */
const again = (more: Record<string, string>) => ({
  demands: 'a page on which the person signs in again, and the later time of it in the token',
  async check({ portal, services, clientId, person, ask, signIn, tokensFor }: RelyingParty) {
    const by = await portal.signedIn(person)
    portal.advance(60)
    expect(age(await tokensFor({}, by))).toBeGreaterThanOrEqual(59)
    const page = await ask(more, by)
    expect(page.pathname).toMatch(/^\/interaction\//)
    expect(age(await services.tokensAt(clientId, (await signIn(by, page)).href))).toBeLessThan(10)
  },
})

/** The sign-in of a minute ago is enough. */
const without = (more: Record<string, string>) => ({
  demands: 'the same person and the same sign-in, without a page',
  async check({ portal, person, tokensFor }: RelyingParty) {
    const by = await portal.signedIn(person)
    portal.advance(60)
    const tokens = await tokensFor(more, by)
    expect(decodeJwt(tokens.id_token).sub).toBe(person.accountId)
    expect(age(tokens)).toBeGreaterThanOrEqual(59)
  },
})

/** The middle of the Basic plan: what a request may ask for. */
export const requests = modulesOf<RelyingParty>({
  'oidcc-display-page': succeeds('a sign-in with `display=page`', { display: 'page' }),
  'oidcc-display-popup': succeeds('a sign-in with `display=popup`', { display: 'popup' }),
  'oidcc-prompt-login': again({ prompt: 'login' }),
  'oidcc-prompt-none-not-logged-in': {
    demands: 'an error without a page',
    async check({ portal, ask }) {
      const url = await ask({ prompt: 'none' }, portal.browser())
      expect(answerOf(url)).toMatchObject({ error: 'login_required', state: 'the state' })
    },
  },
  'oidcc-prompt-none-logged-in': without({ prompt: 'none' }),
  'oidcc-max-age-1': again({ max_age: '1' }),
  'oidcc-max-age-10000': without({ max_age: '10000' }),
  'oidcc-ensure-request-with-unknown-parameter-succeeds': succeeds('a sign-in with a parameter that nobody knows', {
    extra: 'foobar',
  }),
  'oidcc-id-token-hint': {
    demands: 'no page for the person of the ID token',
    async check({ person, tokensFor }) {
      const { id_token } = await tokensFor()
      const second = await tokensFor({ prompt: 'none', id_token_hint: id_token })
      expect(decodeJwt(second.id_token).sub).toBe(person.accountId)
    },
  },
  'oidcc-login-hint': succeeds('a sign-in with `login_hint`', { login_hint: 'someone@test.example' }),
  'oidcc-ui-locales': succeeds('a sign-in with `ui_locales`', { ui_locales: 'se' }),
  'oidcc-claims-locales': succeeds('a sign-in with `claims_locales`', { claims_locales: 'se' }),
  'oidcc-ensure-request-with-acr-values-succeeds': succeeds('a sign-in with `acr_values`', { acr_values: '1 2' }),
})
