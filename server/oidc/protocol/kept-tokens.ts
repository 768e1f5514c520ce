import { createLocalJWKSet, type JWK, jwtVerify } from 'jose'
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
  await token.adapter.upsert(token.jti, { ...stored, extra: fields.extra, iat, exp }, exp - iat)
}

/** The provider finds tokens by their id: that of a signed one, which is kept, takes its place in a request for introspection. */
export async function nameKeptToken(keys: Keys): Promise<void> {
  const { route, params } = (Provider.ctx?.oidc ?? {}) as { route?: string; params?: { token?: unknown } }
  if (route !== 'introspection' || typeof params?.token !== 'string' || !params.token.includes('.')) return
  const known = createLocalJWKSet({ keys: keys.signing('oidcSigning').map(withoutPrivate) })
  const verified = await jwtVerify(params.token, known, { typ: 'at+jwt' }).catch(() => undefined)
  // The others are refused as signed ones that nobody keeps.
  if (verified?.payload.jti && lacksRoles(verified.payload)) params.token = verified.payload.jti
}

const withoutPrivate = (key: object): JWK => {
  const { kty, kid, alg, use, n, e, crv, x, y } = key as JWK & { kty: string }
  return JSON.parse(JSON.stringify({ kty, kid, alg, use, n, e, crv, x, y }))
}
