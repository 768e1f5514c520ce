import { createRemoteJWKSet, jwtVerify } from 'jose'
import * as client from 'openid-client'
import type { SignedIn } from './service.ts'

/** The client's credentials at the portal. */
export interface Credentials {
  clientId: string
  secret: string
}

/** Where a service lives, and where its people sign in. */
export interface RelyingPartyOptions {
  /** The portal's issuer, such as http://localhost:3000/oidc. */
  issuer: string
  /** The service's own address, with a slash at the end. */
  home: string
  credentials: () => Promise<Credentials>
}

/** What the browser has to bring back from the portal. */
export interface SignInRequest {
  verifier: string
  state: string
  nonce: string
}

/** A service's side of OpenID Connect, with a library that is not the portal's. */
export function createRelyingParty({ issuer, home, credentials }: RelyingPartyOptions) {
  const discover = async () => {
    const { clientId, secret } = await credentials()
    const configuration = await client.discovery(
      new URL(issuer),
      clientId,
      { client_secret: secret },
      client.ClientSecretBasic(secret),
      // The demo's portal has no TLS.
      { execute: issuer.startsWith('http:') ? [client.allowInsecureRequests] : [] },
    )
    const { jwks_uri: jwksUri = '' } = configuration.serverMetadata()
    return Object.assign(configuration, { keys: createRemoteJWKSet(new URL(jwksUri)) })
  }
  let known: ReturnType<typeof discover> | undefined
  const configure = () => {
    known ??= discover().catch((error: unknown) => {
      // The next sign-in tries again.
      known = undefined
      throw error
    })
    return known
  }
  const redirectUri = `${home}callback`

  return {
    issuer,

    /**
     * @param organizationId the organisation that the launcher opened the service for
     * @returns the address to send the browser to
     */
    async begin(request: SignInRequest, organizationId?: string): Promise<string> {
      return client.buildAuthorizationUrl(await configure(), {
        redirect_uri: redirectUri,
        scope: 'openid profile email organization',
        ...(organizationId && { organization_id: organizationId }),
        code_challenge: await client.calculatePKCECodeChallenge(request.verifier),
        code_challenge_method: 'S256',
        state: request.state,
        nonce: request.nonce,
      }).href
    },

    /** @param query what the portal sent along, with its question mark */
    async finish(query: string, request: SignInRequest): Promise<SignedIn> {
      const configuration = await configure()
      const tokens = await client.authorizationCodeGrant(configuration, new URL(redirectUri + query), {
        pkceCodeVerifier: request.verifier,
        expectedState: request.state,
        expectedNonce: request.nonce,
        idTokenExpected: true,
      })
      const claims = tokens.claims()
      if (!claims || !tokens.id_token) throw new Error('no ID token')
      const about = await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
      return {
        sub: claims.sub,
        sid: typeof claims.sid === 'string' ? claims.sid : undefined,
        idToken: tokens.id_token,
        name: about.name ?? about.email ?? claims.sub,
        email: about.email ?? '',
        locale: about.locale,
        amr: (claims.amr ?? []) as string[],
        authTime: new Date(Number(claims.auth_time) * 1000),
        organization: about.organization as SignedIn['organization'],
        roles: (about.roles ?? []) as unknown as SignedIn['roles'],
      }
    },

    /** @returns the address at the portal that ends the session there, too */
    async signOutUrl({ idToken }: SignedIn): Promise<string> {
      return client.buildEndSessionUrl(await configure(), {
        id_token_hint: idToken,
        post_logout_redirect_uri: `${home}signed-out`,
      }).href
    },

    /**
     * Reads a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.6); openid-client leaves that to its user.
     *
     * @throws Error when it is not the portal's, or not for this service
     */
    async readLogoutToken(token: string): Promise<{ sid: string | undefined; sub: string | undefined }> {
      const { keys } = await configure()
      const { clientId } = await credentials()
      const { payload } = await jwtVerify(token, keys, { issuer, audience: clientId, maxTokenAge: '2 minutes' })
      const { events, nonce, sid, sub } = payload
      if (nonce !== undefined || !Object.hasOwn(Object(events), 'http://schemas.openid.net/event/backchannel-logout'))
        throw new Error('not a logout token')
      if (typeof sid !== 'string' && !sub) throw new Error('the token names neither a session nor a person')
      return { sid: typeof sid === 'string' ? sid : undefined, sub }
    },
  }
}

export type RelyingParty = ReturnType<typeof createRelyingParty>

/** Whether the portal refused the person, who does not have this service. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof client.AuthorizationResponseError && error.error === 'access_denied'

export const newSignInRequest = (): SignInRequest => ({
  verifier: client.randomPKCECodeVerifier(),
  state: client.randomState(),
  nonce: client.randomNonce(),
})
