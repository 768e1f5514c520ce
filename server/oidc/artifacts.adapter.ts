import { sql } from 'kysely'
import { type Adapter, type AdapterPayload, errors, Provider } from 'oidc-provider'
import { committedSoon } from '#server/platform/committed-soon.ts'
import { prepared } from '#server/platform/prepared-statements.ts'
import type { System } from '#server/platform/system.ts'
import { openCompletion } from './completion.ts'
import { idHash } from './id-hash.ts'
import { resultOf } from './proof.ts'
import { asked } from './provider-problem.ts'
import { providerTime } from './provider-time.ts'
import { storableJson } from './storable.ts'

/** Where an interaction goes on to, below the issuer. Not stored: it would spell out the id. */
export const resumePath = (uid: string) => `/oidc/auth/${uid}`

/** Codes, tokens, grants and interactions: everything of the provider's but sessions and clients. */
export function artifactsAdapter(system: System, model: string): Adapter {
  const { db, clock, config } = system
  return {
    async upsert(id, content, expiresIn) {
      const { payload, grantId, accountId } = asRow(content, model, id)
      // Whoever loses the beginning of a sign-in in a crash begins it again: it alone need not be waited for.
      const expiresAt = expiresIn ? inSeconds(clock(), expiresIn) : null
      await asked(
        prepared(
          db,
          sql`
            insert into provider_artifacts (model, id_hash, payload, grant_id, account_id, expires_at, created_at)
            select ${model}, ${idHash(id)}::bytea, ${payload}::jsonb, ${grantId}, ${accountId}::uuid,
              ${expiresAt}::timestamptz, ${clock()}::timestamptz
            ${model === 'Interaction' ? sql`from ${committedSoon(db)}` : sql``}
            on conflict (model, id_hash) do update set payload = excluded.payload, grant_id = excluded.grant_id,
              account_id = excluded.account_id, expires_at = excluded.expires_at`,
        ),
      )
    },
    async find(id) {
      const found =
        beingCompleted(model, id) ?? (await asked(isResumed(model) ? endAndRead(system, id) : read(system, model, id)))
      if (!found) return undefined
      const time = providerTime(clock)
      const payload: AdapterPayload = { ...(found.payload as AdapterPayload), jti: id }
      if (found.expiresAt) payload.exp = time.seconds(found.expiresAt)
      if (found.consumedAt) payload.consumed = time.seconds(found.consumedAt)
      if (model === 'Interaction') payload.returnTo = `${config.baseUrl}${resumePath(id)}`
      return payload
    },
    async consume(id) {
      const { rows } = await asked(
        sql<{ grantId: string | null; first: boolean }>`
          with used as (
            update provider_artifacts set consumed_at = ${clock()}
            where model = ${model} and id_hash = ${idHash(id)} and consumed_at is null returning 1)
          select grant_id as "grantId", exists (select from used) as first
          from provider_artifacts where model = ${model} and id_hash = ${idHash(id)}`.execute(db),
      )
      if (rows[0]?.first) return
      // Two at once: both saw it unused, the database let one through. The loser is a replay like any other.
      if (rows[0]?.grantId) await endGrants(db, [rows[0].grantId])
      throw new errors.InvalidGrant('already used')
    },
    async destroy(id) {
      if (model === 'Interaction') return void (isResumed(model) || (await asked(endAndRead(system, id))))
      await asked(
        db.deleteFrom('providerArtifacts').where('model', '=', model).where('idHash', '=', idHash(id)).execute(),
      )
    },
    async revokeByGrantId(grantId) {
      await asked(
        db.deleteFrom('providerArtifacts').where('model', '=', model).where('grantId', '=', grantId).execute(),
      )
    },
    async findByUid() {
      throw new Error(`${model} has no uid`)
    },
    async findByUserCode() {
      throw new Error(`${model} has no user code`)
    },
  }
}

interface Found {
  payload: unknown
  expiresAt: Date | null
  consumedAt: Date | null
}

async function read({ db, clock }: System, model: string, id: string): Promise<Found | undefined> {
  const statement = db
    .selectFrom('providerArtifacts')
    .select(['payload', 'expiresAt', 'consumedAt'])
    .where('model', '=', model)
    .where('idHash', '=', idHash(id))
    .where((or) => or.or([or('expiresAt', 'is', null), or('expiresAt', '>', clock())]))
  return (await prepared(db, statement)).rows[0]
}

// Where a sign-in resumes, the provider reads its interaction only to end it: both at once.
const isResumed = (model: string) => model === 'Interaction' && Provider.ctx?.oidc.route === 'resume'

// The request that proved who it is has read it already, and ends it together with everything else.
function beingCompleted(model: string, id: string): Found | undefined {
  const completion = model === 'Interaction' ? openCompletion() : undefined
  if (completion?.uid !== id) return undefined
  const { payload, proof, expiresAt } = completion
  return { payload: { ...payload, result: resultOf(proof) }, expiresAt, consumedAt: null }
}

/**
 * An interaction stays behind as a trace for the clean-up: the back button must find out where it led. The session that
 * comes of it is waited for, and keeps its end too.
 */
async function endAndRead({ db, clock }: System, id: string): Promise<Found | undefined> {
  const statement = sql<Found>`
    with open as (
      select model, id_hash, payload, expires_at from provider_artifacts
      where model = 'Interaction' and id_hash = ${idHash(id)} and expires_at > ${clock()} for update)
    update provider_artifacts ended set expires_at = ${clock()} from open, ${committedSoon(db)}
    where ended.model = open.model and ended.id_hash = open.id_hash
    returning open.payload, open.expires_at as "expiresAt", ended.consumed_at as "consumedAt"`
  return (await prepared(db, statement)).rows[0]
}

/** Ends grants with every code and token that hangs on them. */
export async function endGrants(db: System['db'], grantIds: readonly string[]): Promise<void> {
  if (grantIds.length === 0) return
  await asked(db.deleteFrom('providerArtifacts').where('grantId', 'in', grantIds).execute())
}

const inSeconds = (now: Date, seconds: number) => new Date(now.getTime() + seconds * 1000)

// Nothing that could be presented as a key goes into the payload: neither the id itself nor the session's cookie.
function asRow(payload: AdapterPayload, model: string, id: string) {
  const { jti: _, exp: __, returnTo, session, ...rest } = payload
  const kept: AdapterPayload = rest
  if (session) {
    const { cookie: ___, ...withoutCookie } = session
    kept.session = withoutCookie
  }
  if (returnTo && model !== 'Interaction') kept.returnTo = returnTo
  return {
    payload: storableJson(kept),
    // A grant hangs on itself, so that it goes together with its tokens.
    grantId: model === 'Grant' ? id : (payload.grantId ?? null),
    accountId: payload.accountId ?? payload.result?.login?.accountId ?? null,
  }
}
