import { createHash } from 'node:crypto'
import { createLocalJWKSet, decodeJwt, type JWK, jwtVerify } from 'jose'
import { type AccessToken, type ClientCredentials, type JWTStructured, Provider } from 'oidc-provider'
import type { System } from '#server/platform/system.ts'

type Keys = Pick<System, 'keys'>['keys']

/** Whether the roles did not fit into a token for an API. */
const lacksRoles = ({ organization }: Record<string, unknown>) =>
  (organization as { roles_omitted?: true } | undefined)?.roles_omitted === true

/**
 * A signed token is not stored, so that nobody can ask about it. One without its roles is: its API reads them by introspection.
 */
export async function keepWithoutRoles(
  _: unknown,
  token: AccessToken | ClientCredentials,
  { payload }: JWTStructured,
): Promise<void> {
  if (!lacksRoles(payload)) return
  const { iat, exp } = payload as { iat: number; exp: number }
  const fields = token as unknown as Record<string, unknown>
  const names = (token.constructor as typeof AccessToken).IN_PAYLOAD
  const stored = Object.fromEntries(
    names.map((name) => [name, fields[name]]).filter(([, value]) => value !== undefined),
  )
  await token.adapter.upsert(keptId(token.jti), { ...stored, extra: fields.extra, iat, exp }, exp - iat)
}

/** An API may log the `jti` of a token, which is no secret: of itself it opens nothing. */
const keptId = (jti: string) => createHash('sha256').update(`kept ${jti}`).digest('base64url')

/**
 * The provider finds tokens by their id: that of a signed one, which is kept, takes its place in a request for introspection or
 * revocation. Call it once the client is known.
 */
export async function nameKeptToken(keys: Keys): Promise<void> {
  const { route, params } = (Provider.ctx?.oidc ?? {}) as { route?: string; params?: { token?: unknown } }
  const token = params?.token
  if (!params || (route !== 'introspection' && route !== 'revocation')) return
  if (typeof token !== 'string' || !saysThatItLacksRoles(token)) return
  const verified = await jwtVerify(token, keySetOf(keys), { typ: 'at+jwt' }).catch(() => undefined)
  // The others are refused as signed ones that nobody keeps.
  if (verified?.payload.jti) params.token = keptId(verified.payload.jti)
}

/** Before its signature is checked, which costs more. */
function saysThatItLacksRoles(token: string): boolean {
  try {
    return lacksRoles(decodeJwt(token))
  } catch {
    return false
  }
}

const keySets = new WeakMap<Keys, { generation: number; keySet: ReturnType<typeof createLocalJWKSet> }>()

/** Each key is imported once, until the keys change. */
function keySetOf(keys: Keys) {
  const { generation } = keys
  const known = keySets.get(keys)
  if (known?.generation === generation) return known.keySet
  const keySet = createLocalJWKSet({ keys: keys.signing('oidcSigning').map(withoutPrivate) })
  keySets.set(keys, { generation, keySet })
  return keySet
}

const withoutPrivate = (key: object): JWK => {
  const { kty, kid, alg, use, n, e, crv, x, y } = key as JWK & { kty: string }
  return JSON.parse(JSON.stringify({ kty, kid, alg, use, n, e, crv, x, y }))
}
