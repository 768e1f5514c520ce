import * as oidc from 'openid-client'
import type { Outgoing } from '#server/platform/outgoing/outgoing.ts'
import { createOutgoingFetch } from '#server/platform/outgoing/outgoing-fetch.ts'

/** What a company gives of its OpenID Provider. */
export interface CompanyProvider {
  issuer: string
  clientId: string
  /** A secret, or a private key (private_key_jwt). */
  credential: string | oidc.CryptoKey | oidc.PrivateKey
}

/** What the portal keeps between the request and the answer. One use only. */
export interface AskedSignIn {
  state: string
  nonce: string
  codeVerifier: string
}

interface Setting {
  outgoing: Outgoing
  /** Development may call its own machine over http. */
  production: boolean
}

/** Reads the provider's discovery document. Every call goes through the guarded connector. */
export async function connectProvider(
  { outgoing, production }: Setting,
  { issuer, clientId, credential }: CompanyProvider,
): Promise<oidc.Configuration> {
  const auth = typeof credential === 'string' ? oidc.ClientSecretBasic(credential) : oidc.PrivateKeyJwt(credential)
  const provider = await oidc.discovery(new URL(issuer), clientId, undefined, auth, {
    [oidc.customFetch]: createOutgoingFetch(outgoing, 'token') as oidc.CustomFetch,
    timeout: 10,
    // By default the library trusts TLS and does not verify the signature of a token that it fetched itself.
    execute: [oidc.enableNonRepudiationChecks, ...(production ? [] : [oidc.allowInsecureRequests])],
  })
  checkIssuer(issuer, provider.serverMetadata().issuer)
  return provider
}

/**
 * The library accepts documents of Entra for many tenants, and then tokens of every tenant.
 *
 * @throws when the document is not exactly of this issuer
 */
export function checkIssuer(given: string, discovered: string): void {
  if (new URL(discovered).href !== new URL(given).href) throw new Error('the document is of another issuer')
}

/** @returns the address to send the browser to, and what the answer is checked against */
export async function askProvider(
  provider: oidc.Configuration,
  redirectUri: string,
  email: string,
): Promise<{ url: URL; asked: AskedSignIn }> {
  const asked = {
    state: oidc.randomState(),
    nonce: oidc.randomNonce(),
    codeVerifier: oidc.randomPKCECodeVerifier(),
  }
  const url = oidc.buildAuthorizationUrl(provider, {
    redirect_uri: redirectUri,
    scope: 'openid email',
    state: asked.state,
    nonce: asked.nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(asked.codeVerifier),
    code_challenge_method: 'S256',
    login_hint: email,
  })
  return { url, asked }
}

/**
 * Redeems the code of the provider's answer. The library checks state, `iss` (RFC 9207), and the token's signature,
 * issuer, audience, nonce and times.
 *
 * @throws for every answer that fails a check
 */
export async function redeemAnswer(
  provider: oidc.Configuration,
  answer: URL,
  { state, nonce, codeVerifier }: AskedSignIn,
): Promise<oidc.IDToken> {
  const tokens = await oidc.authorizationCodeGrant(provider, answer, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: codeVerifier,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  if (!claims) throw new Error('the answer has no ID token')
  return claims
}
