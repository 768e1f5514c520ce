import { createHash, randomBytes } from 'node:crypto'
import { createLocalJWKSet, decodeProtectedHeader, type JWTVerifyOptions, jwtVerify } from 'jose'
import type { InputOf } from '#contract/route.ts'
import type { clientTrials, Trial, TrialStep } from '#contract/service-clients/client-trial.ts'
import { type ClientRow, formOfRow } from '#server/oidc/clients/client-rows.ts'
import { organizationParameter, organizationScope } from '#server/oidc/reach/chosen-organization.ts'
import { adviceFor } from './trial-advice.ts'

/** Sends a request to the portal's own front door, as the service or its browser would. */
export type Send = (request: {
  method: 'GET' | 'POST'
  url: string
  headers?: Record<string, string>
  form?: Record<string, string>
}) => Promise<{ status: number; location: string | undefined; body: Record<string, unknown> }>

interface TrialOptions {
  issuer: string
  row: ClientRow
  /** Undefined for a client that keeps none. */
  secret: string | undefined
  input: InputOf<typeof clientTrials.run>
  /** For which of their organisations; undefined if they do not have the service. */
  organizationId: string | undefined
  /** With the cookies of the person who tries. */
  asBrowser: Send
  asService: Send
}

const random = () => randomBytes(24).toString('base64url')
const pretty = (value: unknown) => JSON.stringify(value, null, 2)
const errorOf = ({ error, error_description: description }: Record<string, unknown>) =>
  [error, description].filter(Boolean).join(': ') || 'no answer that could be read'

/**
 * Runs a sign-in from the request to the refreshed tokens. The browser's part happens here with `prompt=none`: the code is
 * read from the redirect and never travels, so the client needs no further redirect address for it.
 */
export async function tryClient({
  issuer,
  row,
  secret,
  input,
  organizationId,
  asBrowser,
  asService,
}: TrialOptions): Promise<Trial> {
  const form = formOfRow(row)
  const [state, nonce, verifier] = [random(), random(), random() + random()]
  const redirectUri = input.redirectUri ?? form.redirectUris[0] ?? ''
  const scope = input.scope ?? form.scopes.join(' ')
  const api = input.resource ?? undefined
  const resource = api === undefined ? {} : { resource: api }
  const query = new URLSearchParams({
    client_id: row.clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope,
    ...resource,
    ...(organizationId && scope.split(' ').includes(organizationScope) && { [organizationParameter]: organizationId }),
    prompt: 'none',
    state,
    nonce,
    ...(input.pkce && {
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    }),
  })
  const none = { tokens: null, idToken: null, userInfo: null, apiToken: null }
  const trial: Trial = {
    assigned: organizationId !== undefined,
    request: `${issuer}/auth?${query}`,
    steps: [],
    ...none,
  }
  const add = (
    step: TrialStep['step'],
    failure?: string,
    outcome: TrialStep['outcome'] = failure ? 'failed' : 'passed',
  ) => trial.steps.push({ step, outcome, error: failure ?? null, advice: failure ? adviceFor(failure) : null })
  const authenticated =
    form.authentication === 'client_secret_basic' && secret
      ? { headers: { authorization: `Basic ${Buffer.from(`${row.clientId}:${secret}`).toString('base64')}` }, form: {} }
      : { headers: {}, form: { client_id: row.clientId, ...(secret && { client_secret: secret }) } }
  const post = (path: string, fields: Record<string, string>) =>
    asService({
      method: 'POST',
      url: `/oidc${path}`,
      headers: authenticated.headers,
      form: { ...authenticated.form, ...fields },
    })

  if (form.kind !== 'machine') {
    const { location, body } = await asBrowser({ method: 'GET', url: `/oidc/auth?${query}` })
    const answer = location?.startsWith(redirectUri) ? Object.fromEntries(new URL(location).searchParams) : body
    // The provider answers an app only where the person's browser has shown something (RFC 8252, 8.6).
    if (form.kind === 'native' && answer.error === 'interaction_required') {
      trial.steps.push({ step: 'request', outcome: 'skipped', error: null, advice: 'app' })
      return trial
    }
    const wrongState = answer.code && (answer.state !== state || answer.iss !== issuer)
    add('request', answer.code ? (wrongState ? 'state or iss is not what was sent' : undefined) : errorOf(answer))
    if (!answer.code) return trial
    if (form.authentication === 'private_key_jwt') {
      trial.steps.push({ step: 'token', outcome: 'skipped', error: null, advice: 'ownKey' })
      return trial
    }
    const grant = { grant_type: 'authorization_code', code: String(answer.code), redirect_uri: redirectUri }
    return finish(grant)
  }
  if (form.authentication === 'private_key_jwt') {
    trial.steps.push({ step: 'token', outcome: 'skipped', error: null, advice: 'ownKey' })
    return trial
  }
  return finish({ grant_type: 'client_credentials', ...resource })

  async function finish(grant: Record<string, string>): Promise<Trial> {
    const isCode = grant.grant_type === 'authorization_code'
    const { status, body } = await post('/token', {
      ...grant,
      ...(isCode && input.pkce && { code_verifier: verifier }),
    })
    add('token', status === 200 ? undefined : errorOf(body))
    if (status !== 200) return trial
    const { access_token: access, refresh_token: refresh, id_token: idToken, ...rest } = body
    trial.tokens = pretty(rest)
    let latest = refresh
    const signed = api !== undefined && String(access).split('.').length === 3
    let sub: string | undefined
    if (isCode) {
      const { payload, shown, failure } = await verified(String(idToken), { audience: row.clientId })
      ;[sub, trial.idToken] = [payload?.sub, shown]
      add('idToken', failure ?? (payload?.nonce === nonce ? undefined : 'nonce is not what was sent'))
      // A token for an API does not open userinfo.
      if (api === undefined) await fetchUserInfo(String(access), sub)
    }
    if (signed) {
      const { payload, shown, failure } = await verified(String(access), { audience: api, typ: 'at+jwt' })
      trial.apiToken = shown
      const isSame = payload?.sub === (isCode ? sub : row.clientId)
      add('apiToken', failure ?? (isSame ? undefined : 'sub is not who signed in'))
    } else if (api !== undefined) {
      trial.steps.push({ step: 'apiToken', outcome: 'skipped', error: null, advice: 'opaque' })
    }
    if (isCode) {
      const renewed = await post('/token', { grant_type: 'refresh_token', refresh_token: String(refresh) })
      add('refresh', renewed.status === 200 ? undefined : errorOf(renewed.body))
      latest = renewed.body.refresh_token ?? refresh
    }
    // The trial leaves nothing that could be used. A signed token cannot be revoked, and goes no further than here.
    for (const token of [latest, signed ? undefined : access])
      if (token) await post('/token/revocation', { token: String(token) })
    return trial
  }

  async function fetchUserInfo(token: string, sub: string | undefined): Promise<void> {
    const { status, body } = await asService({
      method: 'GET',
      url: '/oidc/me',
      headers: { authorization: `Bearer ${token}` },
    })
    trial.userInfo = pretty(body)
    const isSame = body.sub === sub
    add('userInfo', status === 200 ? (isSame ? undefined : 'sub is not that of the ID token') : errorOf(body))
  }

  async function verified(token: string, options: JWTVerifyOptions) {
    const { body: jwks } = await asService({ method: 'GET', url: '/oidc/jwks' })
    try {
      const keys = createLocalJWKSet(jwks as unknown as Parameters<typeof createLocalJWKSet>[0])
      const { payload } = await jwtVerify(token, keys, { issuer, ...options })
      return { payload, shown: pretty({ header: decodeProtectedHeader(token), claims: payload }) }
    } catch (error) {
      return { shown: null, failure: (error as Error).message }
    }
  }
}
