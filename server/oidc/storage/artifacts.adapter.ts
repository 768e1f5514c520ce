import { sql } from 'kysely'
import { type Adapter, type AdapterPayload, errors, Provider } from 'oidc-provider'
import { executePrepared } from '#server/platform/database/prepared-statements.ts'
import type { System } from '#server/platform/system.ts'
import { hashId } from '../hash-id.ts'
import { limitBegunSignIn } from '../protocol/begun-sign-ins.ts'
import { limitPushedRequest } from '../protocol/pushed-requests.ts'
import { runForProvider } from '../provider-problem.ts'
import { providerTime } from '../provider-time.ts'
import type { FoundArtifact } from '../requests/read-row.ts'
import { toStorableJson } from '../storable.ts'
import { grantOfRequest, isReadWhole, readToken } from '../tokens/read-token.ts'
import { consumeAtTheEnd, findUnwritten, forgetUnwritten, writeArtifact } from './pending-writes.ts'

/** The path that resumes an interaction. Not stored, because it contains the id. */
export const resumePath = (uid: string) => `/oidc/auth/${uid}`

/** Stores codes, tokens, grants and interactions: all models of the provider except sessions and clients. */
export function artifactsAdapter(system: System, model: string): Adapter {
  const { db, clock, config } = system
  return {
    async upsert(id, content, expiresIn) {
      if (model === 'PushedAuthorizationRequest') await limitPushedRequest(system, content)
      if (model === 'Interaction') await limitBegunSignIn(system, content)
      const expiresAt = expiresIn ? inSeconds(clock(), expiresIn) : null
      await writeArtifact(system, { model, idHash: hashId(id), expiresAt, ...asRow(content, model, id) })
    },
    async find(id) {
      const found = await find(system, model, id)
      if (!found) return undefined
      const time = providerTime(clock)
      const payload: AdapterPayload = { ...(found.payload as AdapterPayload), jti: id }
      if (found.expiresAt) payload.exp = time.seconds(found.expiresAt)
      if (found.consumedAt) payload.consumed = time.seconds(found.consumedAt)
      if (model === 'Interaction') payload.returnTo = `${config.baseUrl}${resumePath(id)}`
      return payload
    },
    async consume(id) {
      if (consumeAtTheEnd(model, id)) return
      const statement = sql<{ grantId: string | null; first: boolean }>`
        with used as (
          update provider_artifacts set consumed_at = ${clock()}
          where model = ${model} and id_hash = ${hashId(id)} and consumed_at is null returning 1)
        select grant_id as "grantId", exists (select from used) as first
        from provider_artifacts where model = ${model} and id_hash = ${hashId(id)}`
      const { rows } = await runForProvider(executePrepared(db, statement))
      if (rows[0]?.first) return
      // Of two concurrent uses the database accepts one. The other is a replay, which revokes the grant.
      if (rows[0]?.grantId) await revokeGrants(db, [rows[0].grantId])
      throw new errors.InvalidGrant('already used')
    },
    async destroy(id) {
      forgetUnwritten((row) => row.model === model && row.idHash.equals(hashId(id)))
      if (model === 'Interaction') return void (isResumed(model) || (await runForProvider(expireAndRead(system, id))))
      await runForProvider(
        db.deleteFrom('providerArtifacts').where('model', '=', model).where('idHash', '=', hashId(id)).execute(),
      )
    },
    async revokeByGrantId(grantId) {
      forgetUnwritten((row) => row.model === model && row.grantId === grantId)
      await runForProvider(
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

function find(system: System, model: string, id: string): Promise<FoundArtifact | undefined> {
  const unwritten = findUnwritten(model, id)
  if (unwritten)
    return Promise.resolve({
      payload: JSON.parse(unwritten.payload),
      expiresAt: unwritten.expiresAt,
      consumedAt: null,
    })
  if (isReadWhole(model)) return readToken(system, model, id)
  const known = model === 'Grant' ? grantOfRequest(id) : undefined
  if (known) return Promise.resolve(known)
  return runForProvider(isResumed(model) ? expireAndRead(system, id) : read(system, model, id))
}

async function read({ db, clock }: System, model: string, id: string): Promise<FoundArtifact | undefined> {
  const statement = sql<FoundArtifact>`
    select payload, expires_at as "expiresAt", consumed_at as "consumedAt" from provider_artifacts
    where model = ${model} and id_hash = ${hashId(id)} and (expires_at is null or expires_at > ${clock()})`
  return (await executePrepared(db, statement)).rows[0]
}

// On resume, the provider reads an interaction only to end it, so one statement does both.
const isResumed = (model: string) => model === 'Interaction' && Provider.ctx?.oidc.route === 'resume'

/**
 * Ends an interaction by expiring it. The row stays until the clean-up, so that the back button can restart the sign-in.
 */
async function expireAndRead({ db, clock }: System, id: string): Promise<FoundArtifact | undefined> {
  const statement = sql<FoundArtifact>`
    with open as (
      select model, id_hash, payload, expires_at from provider_artifacts
      where model = 'Interaction' and id_hash = ${hashId(id)} and expires_at > ${clock()} for update)
    update provider_artifacts ended set expires_at = ${clock()} from open
    where ended.model = open.model and ended.id_hash = open.id_hash
    returning open.payload, open.expires_at as "expiresAt", ended.consumed_at as "consumedAt"`
  return (await executePrepared(db, statement)).rows[0]
}

/** Revokes grants with all their codes and tokens. */
export async function revokeGrants(db: System['db'], grantIds: readonly string[]): Promise<void> {
  if (grantIds.length === 0) return
  await runForProvider(db.deleteFrom('providerArtifacts').where('grantId', 'in', grantIds).execute())
}

const inSeconds = (now: Date, seconds: number) => new Date(now.getTime() + seconds * 1000)

// The payload must not contain credentials: neither the id itself nor the session's cookie.
function asRow(payload: AdapterPayload, model: string, id: string) {
  const { jti: _, exp: __, returnTo, session, ...rest } = payload
  const kept: AdapterPayload = rest
  if (session) {
    const { cookie: ___, ...withoutCookie } = session
    kept.session = withoutCookie
  }
  if (returnTo && model !== 'Interaction') kept.returnTo = returnTo
  return {
    payload: toStorableJson(kept),
    grantId: grantOf(payload, model, id),
    accountId: payload.accountId ?? payload.result?.login?.accountId ?? null,
  }
}

/** The grant that a row is revoked with. */
function grantOf({ grantId }: AdapterPayload, model: string, id: string): string | null {
  if (model === 'Grant') return id
  // An interaction outlives its session: the next user of the browser can still sign in to that service.
  return model === 'Interaction' ? null : (grantId ?? null)
}
