import type { FastifyRequest } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import type { AdapterPayload } from 'oidc-provider'
import type { Db } from '#server/platform/database.ts'
import { prepared } from '#server/platform/prepared-statements.ts'
import type { RequestContext } from '#server/platform/request-context.ts'
import { resumePath } from './artifacts.adapter.ts'
import { portalClientId } from './clients.adapter.ts'
import { cookieNames, createCookieSignatures, signedCookie } from './cookies.ts'
import { awaitsFirstSignIn } from './first-sign-in.ts'
import { idHash } from './id-hash.ts'
import { returnToOf } from './login-state.ts'
import { type Proof, resultOf } from './proof.ts'

/** What a sign-in is for: an authorization request that waits for the person. */
export interface Interaction {
  uid: string
  /** `login`, or `consent` where a service asks for it by name. */
  prompt: string
  /** The address that the request suggests. */
  loginHint: string | undefined
  /** Where the sign-in ends: the origin of the redirect URI. */
  origin: string | undefined
  /** A sign-in of a while ago is not enough: the person has to prove anew who it is. */
  anew: boolean
}

type Context = Pick<RequestContext, 'db' | 'config' | 'keys' | 'now'>

/**
 * The interaction of an address, if it is still open and this browser's: the uid is the signed cookie's value, and any
 * other is somebody else's.
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
    loginHint: typeof params.login_hint === 'string' ? params.login_hint : undefined,
    origin: typeof params.redirect_uri === 'string' ? URL.parse(params.redirect_uri)?.origin : undefined,
    anew:
      params.max_age !== undefined ||
      String(params.prompt ?? '')
        .split(' ')
        .includes('login'),
  }
}

/** Is this the interaction that this browser has open at its address? A look at the signed cookie alone. */
export const isOwnInteraction = (
  { config, keys }: Pick<Context, 'config' | 'keys'>,
  request: FastifyRequest,
  uid: string,
) => signedCookie(request, cookieNames(config).interaction, createCookieSignatures(keys)) === uid

/** An interaction as it is stored, as long as it is open. */
export interface OpenInteraction {
  payload: AdapterPayload
  expiresAt: Date
}

/** The same as an expression of the type jsonb, to be read with something else: see `asOpenInteraction`. */
export const openInteraction = (now: Date, uid: string): RawBuilder<unknown> => sql`(
  select jsonb_build_object('payload', payload, 'expiresAt', extract(epoch from expires_at)::float8 * 1000)
  from provider_artifacts where model = 'Interaction' and id_hash = ${idHash(uid)} and expires_at > ${now})`

/** @param read what `openInteraction` gave */
export function asOpenInteraction(read: unknown): OpenInteraction | undefined {
  if (!read) return undefined
  const { payload, expiresAt } = read as { payload: AdapterPayload; expiresAt: number }
  return { payload, expiresAt: new Date(expiresAt) }
}

export async function findOpenInteraction(db: Db, now: Date, uid: string): Promise<OpenInteraction | undefined> {
  const statement = sql<{ read: unknown }>`select ${openInteraction(now, uid)} as read`
  return asOpenInteraction((await prepared(db, statement)).rows[0]?.read)
}

/** Is it a sign-in to the portal itself that began in a browser without a session? */
export const isPortalsOwn = (interaction: OpenInteraction | undefined): interaction is OpenInteraction =>
  interaction?.payload.params?.client_id === portalClientId &&
  !interaction.payload.session &&
  interaction.payload.prompt?.name === 'login'

/**
 * The expression `finished`: writes down that the person of an interaction is known, if it is still open and asks for it.
 * The provider picks it up at the address `resumePath`. Part of the statement that writes `loginSuccess`.
 */
export const finishInteraction = (now: Date, uid: string, proof: Proof): RawBuilder<unknown> => sql`finished as (
    update provider_artifacts
    set account_id = ${proof.accountId}::uuid, payload = payload - ${proof.forgetSession ? 'session' : ''}::text
      || jsonb_build_object('result', ${JSON.stringify(resultOf(proof))}::jsonb)
    where ${asksForLogin(now, uid, proof)}
    returning 1)`

/**
 * The same where the provider works at it already: nothing is left to pick up, the interaction ends. Two requests need
 * not agree on what time it is: of those that end it, one gets past `consumed_at`.
 */
export const endInteraction = (now: Date, uid: string, proof: Proof): RawBuilder<unknown> => sql`finished as (
    update provider_artifacts set account_id = ${proof.accountId}::uuid, expires_at = ${now}, consumed_at = ${now}
    where ${asksForLogin(now, uid, proof)}
    returning 1)`

const asksForLogin = (now: Date, uid: string, { accountId, authEpoch, activates, usesUp }: Proof) => sql`
  model = 'Interaction' and id_hash = ${idHash(uid)} and expires_at > ${now} and consumed_at is null
  and payload -> 'prompt' ->> 'name' = 'login' ${usesUp ? sql`and exists (select from used)` : sql``}
  and exists (
    select from users u where u.account_id = ${accountId}::uuid and u.auth_epoch = ${authEpoch}
      and ${activates ? awaitsFirstSignIn : sql`not u.pending and u.passive_at is null`})`

/** Nothing has to be asked where the portal speaks for the person: a consent is given without a page. */
export async function grantConsent(db: Db, now: Date, uid: string): Promise<string> {
  await sql`
    update provider_artifacts set payload = payload || '{"result": {"consent": {}}}'::jsonb
    where model = 'Interaction' and id_hash = ${idHash(uid)} and expires_at > ${now}`.execute(db)
  return resumePath(uid)
}

/**
 * Where a sign-in begins again whose interaction is over, unknown or another browser's: at the e-mail step, on the way
 * to where the old one led. The trace of an old interaction is kept for a while for just this.
 *
 * @param error the key of what to say there
 */
export async function restartAddress(db: Db, uid: string, email: string | undefined, error?: string): Promise<string> {
  const row = await findRow(db, uid)
  const { client_id: clientId, ...rest } = row?.payload.params ?? {}
  const returnTo =
    clientId === undefined
      ? '/'
      : clientId === portalClientId
        ? returnToOf(rest.state)
        : `/oidc/auth?${new URLSearchParams({ client_id: String(clientId), ...(rest as Record<string, string>) })}`
  const query = new URLSearchParams()
  if (returnTo !== '/') query.set('returnTo', returnTo)
  if (email) query.set('email', email)
  if (error) query.set('error', error)
  return query.size > 0 ? `/login?${query}` : '/login'
}

async function findRow(db: Db, uid: string) {
  const row = await db
    .selectFrom('providerArtifacts')
    .select(['payload', 'expiresAt'])
    .where('model', '=', 'Interaction')
    .where('idHash', '=', idHash(uid))
    .executeTakeFirst()
  return row && { ...row, payload: row.payload as AdapterPayload }
}
