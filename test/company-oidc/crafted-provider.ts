import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { listen } from './listen.ts'

const keys = await generateKeyPair('RS256', { extractable: true })

/** A provider of an attacker: its token endpoint answers with any token. */
export async function craftedProvider() {
  const at = await listen()
  const { issuer } = at
  const provider = {
    ...at,
    publicKey: keys.publicKey,
    /** The paths that were asked for. */
    calls: [] as string[],
    idToken: '',
    /** How the portal named itself with the code. */
    authorization: undefined as string | undefined,
    /** Keys of others beside its own. */
    otherKeys: [] as JWK[],
    /** What it says of the person beside the token; undefined: nothing, and then it has no address for that. */
    userInfo: undefined as object | undefined,
    isHanging: false,
    /** The page for sign-in that its discovery document names. */
    page: `${at.issuer}/auth`,
    sign: (claims: object, key = keys.privateKey) =>
      new SignJWT({ ...claims }).setProtectedHeader({ alg: 'RS256' }).sign(key),
  }
  at.server.on('request', async ({ url = '', headers }, response) => {
    provider.calls.push(url)
    if (url === '/token') provider.authorization = headers.authorization
    const answers: Record<string, unknown> = {
      '/.well-known/openid-configuration': {
        issuer,
        authorization_endpoint: provider.page,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        authorization_response_iss_parameter_supported: true,
        id_token_signing_alg_values_supported: ['RS256'],
        ...(provider.userInfo && { userinfo_endpoint: `${issuer}/userinfo` }),
      },
      '/jwks': { keys: [...provider.otherKeys, { ...(await exportJWK(keys.publicKey)), alg: 'RS256', use: 'sig' }] },
      '/userinfo': provider.userInfo,
      '/token': { access_token: 'x', token_type: 'Bearer', id_token: provider.idToken },
    }
    if (provider.isHanging && url === '/token') return
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answers[url]))
  })
  return provider
}

const now = () => Math.floor(Date.now() / 1000)

/** What an ID token says when everything is right. */
export const rightClaims = (issuer: string, nonce: string) => ({
  iss: issuer,
  aud: 'portal',
  sub: 'eva',
  nonce,
  iat: now(),
  exp: now() + 60,
})
