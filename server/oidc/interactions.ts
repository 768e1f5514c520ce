import type { FastifyRequest } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import type { AdapterPayload } from 'oidc-provider'
import type { Db } from '#server/platform/database/database.ts'
import { executePrepared } from '#server/platform/database/prepared-statements.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { formTargetOf } from '#server/platform/http/security-headers.ts'
import { portalClientId } from './clients.adapter.ts'
import { cookieNames, createCookieSigner, readSignedCookie } from './cookies.ts'
import { hashId } from './hash-id.ts'
import { parseReturnTo } from './login-state.ts'
import { organizationParameter } from './reach/chosen-organization.ts'
import { resumePath } from './storage/artifacts.adapter.ts'

/** An authorization request that waits for the user to sign in. */
export interface Interaction {
  uid: string
  /** `login`, or `consent` where a service requests it explicitly. */
  prompt: string
  /** The client that asks. */
  clientId: string | undefined
  /** The `login_hint` of the request. */
  loginHint: string | undefined
  /** The `ui_locales` of the request: the languages that the service prefers. */
  uiLocales: string | undefined
  /** The organisation that the request names. */
  organizationId: string | undefined
  /** Where the sign-in ends: the origin of the redirect URI. */
  origin: string | undefined
  /** The user must reauthenticate, even with a session (`max_age` or `prompt=login`). */
  reauthenticate: boolean
}

type Context = Pick<RequestContext, 'db' | 'config' | 'keys' | 'now'>

/**
 * Finds the interaction of a URL, if it is open and belongs to this browser: the uid must match the signed cookie.
 */
export async function findInteraction(
  { db, config, keys, now }: Context,
  request: FastifyRequest,
  uid: string,
): Promise<Interaction | undefined> {
  if (!isOwnInteraction({ config, keys }, request, uid)) return undefined
  const row = await findRow(db, uid)
  if (!row?.expiresAt || row.expiresAt <= now) return undefined
  const { params = {}, prompt } = row.payload
  return {
    uid,
    prompt: prompt?.name ?? 'login',
    clientId: typeof params.client_id === 'string' ? params.client_id : undefined,
    loginHint: typeof params.login_hint === 'string' ? params.login_hint : undefined,
    uiLocales: typeof params.ui_locales === 'string' ? params.ui_locales : undefined,
    organizationId: typeof params[organizationParameter] === 'string' ? params[organizationParameter] : undefined,
    origin: typeof params.redirect_uri === 'string' ? formTargetOf(params.redirect_uri) : undefined,
    reauthenticate:
      params.max_age !== undefined ||
      String(params.prompt ?? '')
        .split(' ')
        .includes('login'),
  }
}

/** Whether the interaction belongs to this browser; checks only the signed cookie. */
export const isOwnInteraction = (
  { config, keys }: Pick<Context, 'config' | 'keys'>,
  request: FastifyRequest,
  uid: string,
) => readSignedCookie(request, cookieNames(config).interaction, createCookieSigner(keys)) === uid

/** A stored interaction that is open. */
export interface OpenInteraction {
  payload: AdapterPayload
}

/** Finds an interaction that is open. */
export async function findOpenInteraction(db: Db, now: Date, uid: string): Promise<OpenInteraction | undefined> {
  return (await executePrepared(db, selectOpenInteraction(now, uid))).rows[0]
}

/** The query for it, where another one asks as well. */
export const selectOpenInteraction = (now: Date, uid: string): RawBuilder<OpenInteraction> => sql`
  select payload from provider_artifacts where model = 'Interaction' and id_hash = ${hashId(uid)} and expires_at > ${now}`

/** Whether it is a sign-in to the portal itself, started in a browser without a session. */
export const isPortalSignIn = (interaction: OpenInteraction | undefined): interaction is OpenInteraction =>
  interaction?.payload.params?.client_id === portalClientId &&
  !interaction.payload.session &&
  interaction.payload.prompt?.name === 'login'

/** The client of an interaction; the portal without one. */
export const clientIdOf = ({ payload }: Pick<OpenInteraction, 'payload'> | undefined = { payload: {} }): string =>
  String(payload.params?.client_id ?? portalClientId)

/** The same by uid, for an interaction that may have ended or not exist. */
export const findClientId = async (db: Db, uid: string | undefined): Promise<string> =>
  clientIdOf(uid === undefined ? undefined : await findRow(db, uid))

/** Grants consent without a page, because all services are first-party. */
export async function grantConsent(db: Db, now: Date, uid: string): Promise<string> {
  await sql`
    update provider_artifacts set payload = payload || '{"result": {"consent": {}}}'::jsonb
    where model = 'Interaction' and id_hash = ${hashId(uid)} and expires_at > ${now}`.execute(db)
  return resumePath(uid)
}

/**
 * Finds the URL that restarts a sign-in whose interaction has ended, is unknown, or belongs to another browser: the e-mail
 * step, with the original target. Ended interactions are stored for a while for this purpose.
 *
 * @param error message key to show there
 */
export async function findRestartUrl(db: Db, uid: string, email: string | undefined, error?: string): Promise<string> {
  const row = await findRow(db, uid)
  const { client_id: clientId, ...rest } = row?.payload.params ?? {}
  const returnTo =
    clientId === undefined
      ? '/'
      : clientId === portalClientId
        ? parseReturnTo(rest.state)
        : `/oidc/auth?${new URLSearchParams({ client_id: String(clientId), ...(rest as Record<string, string>) })}`
  const query = new URLSearchParams()
  const organizationId = clientId === portalClientId ? rest[organizationParameter] : undefined
  if (typeof organizationId === 'string') query.set('org', organizationId)
  if (returnTo !== '/') query.set('returnTo', returnTo)
  if (email) query.set('email', email)
  if (error) query.set('error', error)
  return query.size > 0 ? `/login?${query}` : '/login'
}

async function findRow(db: Db, uid: string): Promise<(OpenInteraction & { expiresAt: Date | null }) | undefined> {
  const statement = sql<OpenInteraction & { expiresAt: Date | null }>`
    select payload, expires_at as "expiresAt" from provider_artifacts
    where model = 'Interaction' and id_hash = ${hashId(uid)}`
  return (await executePrepared(db, statement)).rows[0]
}
