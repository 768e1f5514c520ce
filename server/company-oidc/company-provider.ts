import * as oidc from 'openid-client'
import type { Outgoing } from '#server/platform/outgoing/outgoing.ts'
import { createOutgoingFetch } from '#server/platform/outgoing/outgoing-fetch.ts'
import { ensure, Refusal } from '#server/saml/refusal.ts'
import { asRefusal } from './as-refusal.ts'
import type { ClientKey } from './client-key.ts'
import { googleIssuer } from './token-claims.ts'

/** What a company gives of its OpenID Provider. */
export interface CompanyProvider {
  issuer: string
  clientId: string
  /** A secret, or the portal's key (private_key_jwt). */
  credential: string | ClientKey
  /** Someone without an account named it: hosts that the operator allows are refused too. */
  outsider?: boolean
}

/** What the portal keeps between the request and the answer. One use only. */
export interface AskedSignIn {
  state: string
  nonce: string
  codeVerifier: string
}

/** How providers are called. */
export interface Setting {
  outgoing: Outgoing
  /** Development may call its own machine over http. */
  production: boolean
}

/**
 * Reads the provider's discovery document. Every call goes through the guarded connector.
 *
 * @throws Refusal `unreachable`, or `issuer` where the document is of another one
 */
export async function connectProvider(
  { outgoing, production }: Setting,
  { issuer, clientId, credential, outsider }: CompanyProvider,
): Promise<oidc.Configuration> {
  const auth = typeof credential === 'string' ? bySecret(credential) : byKey(credential)
  const found = oidc.discovery(new URL(issuer), clientId, undefined, auth, {
    [oidc.customFetch]: createOutgoingFetch(outgoing, 'token', outsider) as oidc.CustomFetch,
    timeout: 10,
    // By default the library trusts TLS and does not verify the signature of a token that it fetched itself.
    execute: [oidc.enableNonRepudiationChecks, ...(production ? [] : [oidc.allowInsecureRequests])],
  })
  const provider = await found.catch((error) => {
    const { failure, cause } = asRefusal(error)
    if (failure === 'issuer') throw otherIssuer()
    throw new Refusal('the discovery document of the provider could not be read', { failure: 'unreachable', cause })
  })
  const { issuer: discovered, authorization_endpoint: page = '' } = provider.serverMetadata()
  checkIssuer(issuer, discovered)
  // Browsers are sent there: never to a script.
  ensure((production ? /^https:/ : /^https?:/).test(page), 'the provider has no page for sign-in', 'malformed')
  return provider
}

/** By the header that every provider has to accept, unless it says that it takes the form alone. */
const bySecret = (secret: string): oidc.ClientAuth => {
  const [basic, post] = [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)]
  return (provider, ...rest) => {
    const { token_endpoint_auth_methods_supported: known = ['client_secret_basic'] } = provider
    return (known.includes('client_secret_basic') ? basic : post)(provider, ...rest)
  }
}

const byKey = ({ key, kid, x5t }: ClientKey): oidc.ClientAuth =>
  oidc.PrivateKeyJwt(
    { key, kid },
    {
      [oidc.modifyAssertion]: (header) => {
        header.x5t = x5t
        header['x5t#S256'] = kid
      },
    },
  )

/**
 * The library accepts documents of Entra for many tenants, and then tokens of every tenant.
 *
 * @throws Refusal when the document is not exactly of this issuer
 */
export function checkIssuer(given: string, discovered: string): void {
  if (new URL(discovered).href !== new URL(given).href) throw otherIssuer()
}
const otherIssuer = () => new Refusal('the discovery document is of another issuer', { failure: 'issuer' })

/** Two secrets of one request: what its token must repeat, and what its code is redeemed with. */
export const createProof = (): Omit<AskedSignIn, 'state'> => ({
  nonce: oidc.randomNonce(),
  codeVerifier: oidc.randomPKCECodeVerifier(),
})

interface Question extends AskedSignIn {
  redirectUri: string
  /** The address that the person typed. */
  email?: string
  /** The person must authenticate again, even with a session there. */
  reauthenticate?: boolean
}

/** @returns the address to send the browser to */
export async function askProvider(
  provider: oidc.Configuration,
  { redirectUri, state, nonce, codeVerifier, email, reauthenticate = false }: Question,
): Promise<string> {
  const prompt = provider.serverMetadata().issuer === googleIssuer ? 'select_account' : 'login'
  const url = oidc.buildAuthorizationUrl(provider, {
    redirect_uri: redirectUri,
    scope: 'openid email profile',
    state,
    nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    ...(email ? { login_hint: email } : {}),
    // With a limit of its age the provider has to say when the person authenticated.
    ...(reauthenticate ? { max_age: '0', prompt } : {}),
  })
  return url.href
}

/**
 * Redeems the code of the provider's answer. The library checks state, `iss` (RFC 9207), and the token's signature,
 * issuer, audience, nonce and times. Without an address in the token, `userinfo` is asked for it.
 *
 * @param emailClaim the claim that has the address
 * @throws Refusal for every answer that fails a check
 */
export async function redeemAnswer(
  provider: oidc.Configuration,
  answer: URL,
  { state, nonce, codeVerifier }: AskedSignIn,
  emailClaim = 'email',
): Promise<oidc.IDToken> {
  try {
    const tokens = await oidc.authorizationCodeGrant(provider, answer, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: codeVerifier,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    ensure(claims, 'the answer has no ID token')
    // The library checks the end of a token alone. Its clock is the machine's, too.
    ensure(claims.iat * 1000 <= Date.now() + clockSkewMs, 'the token was issued in the future', 'clock')
    // Many providers put the address there alone. It comes from the provider itself, for this access token.
    if (claims[emailClaim] !== undefined || !provider.serverMetadata().userinfo_endpoint) return claims
    return { ...(await oidc.fetchUserInfo(provider, tokens.access_token, claims.sub)), ...claims }
  } catch (error) {
    throw asRefusal(error)
  }
}

/** How far the provider's clock may be ahead. */
const clockSkewMs = 300_000

/** The address of the answer, with what counts of its query. */
export function answerUrl(redirectUri: string, query: Record<string, string | undefined>): URL {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value)
  return url
}
