import { type RawBuilder, sql } from 'kysely'
import { type Configuration, errors, type KoaContextWithOIDC, Provider } from 'oidc-provider'
import { createAttached } from '#server/platform/attached.ts'
import { executePrepared } from '#server/platform/database/prepared-statements.ts'
import type { System } from '#server/platform/system.ts'
import { hashId } from './hash-id.ts'
import { ProviderProblem, runForProvider } from './provider-problem.ts'

/** A row of `provider_artifacts`. */
export interface ArtifactRow {
  model: string
  idHash: Buffer
  /** JSON. */
  payload: string
  grantId: string | null
  accountId: string | null
  expiresAt: Date | null
}

/** What a session says about the artifacts that are written with it. */
interface Session {
  /** Whether there still is one; without it nothing is written. */
  isThere: RawBuilder<unknown>
  /** A query with at most one `entry`: the authorization that codes belong to instead of theirs. */
  entry: RawBuilder<unknown>
}
/** The parts of a `with` that write everything else. */
export type OtherWrites = (session?: Session) => RawBuilder<unknown>

/** Writes a session, in one statement with everything else. */
type WriteSession = (others: OtherWrites) => Promise<void>

interface Writes {
  artifacts: Map<string, ArtifactRow>
  sessions: Map<string, WriteSession>
  /** The code or refresh token that is exchanged for the rows. */
  exchanged?: { model: string; idHash: Buffer }
  /** Who enters which service. */
  entry?: { accountId: string; serviceId: string }
}

// The provider saves a session, a grant, a code and tokens one after the other, and says that a code is used up. One
// statement at the end of the request writes all of it, or nothing.
const waiting = createAttached<object, Writes>('writes')

const current = () => Provider.ctx && waiting.get(Provider.ctx)
const keyOf = (model: string, idHash: Buffer) => `${model} ${idHash.toString('hex')}`

/** Writes a row at the end of the request, or at once outside of requests. */
export async function writeArtifact(system: System, row: ArtifactRow): Promise<void> {
  const writes = current()
  if (writes) writes.artifacts.set(keyOf(row.model, row.idHash), row)
  else await runForProvider(executePrepared(system.db, sql`with ${insertArtifacts(system, [row])} select`))
}

/** Writes a session likewise. */
export async function writeSession(system: System, id: string, write: WriteSession): Promise<void> {
  const writes = current()
  if (writes) writes.sessions.set(id, write)
  else await runForProvider(write((session) => insertArtifacts(system, [], session)))
}

/**
 * Marks a code or refresh token as used up at the end of the request, in the statement that writes the tokens: of two
 * requests that exchange it at once, only one gets any.
 *
 * @returns false where this is no such request
 */
export function consumeAtTheEnd(model: string, id: string): boolean {
  const writes = current()
  if (!writes || Provider.ctx?.oidc.route !== 'token') return false
  writes.exchanged = { model, idHash: hashId(id) }
  return true
}

/** Notes at the end of the request that a person entered a service. */
export function noteEntry(accountId: string, serviceId: string): void {
  const writes = current()
  if (writes) writes.entry = { accountId, serviceId }
}

/** A row that this request is about to write. */
export function findUnwritten(model: string, id: string): ArtifactRow | undefined {
  const { artifacts } = current() ?? {}
  return artifacts?.size ? artifacts.get(keyOf(model, hashId(id))) : undefined
}

/** Forgets rows that this request was about to write. */
export function forgetUnwritten(matches: (row: ArtifactRow) => boolean): void {
  const { artifacts } = current() ?? {}
  for (const [key, row] of artifacts ?? []) if (matches(row)) artifacts?.delete(key)
}

const noSession: Session = { isThere: sql`true`, entry: sql`(select null::jsonb as entry where false)` }

const insertArtifacts = ({ clock }: System, rows: readonly ArtifactRow[], session = noSession): RawBuilder<unknown> => {
  const column = (name: keyof ArtifactRow) => rows.map((row) => row[name])
  return sql`artifacts as (
    insert into provider_artifacts (model, id_hash, payload, grant_id, account_id, expires_at, created_at)
    select model, id_hash,
      case when entry is null then payload
        else payload || jsonb_build_object('grantId', entry -> 'grantId')
          || case when payload ? 'sid' then jsonb_build_object('sid', entry -> 'sid') else '{}' end end,
      coalesce(entry ->> 'grantId', grant_id), account_id, expires_at, ${clock()}::timestamptz
    from unnest((select ${column('model')}::text[]), (select ${column('idHash')}::bytea[]),
      (select ${column('payload')}::jsonb[]), (select ${column('grantId')}::text[]),
      (select ${column('accountId')}::uuid[]), (select ${column('expiresAt')}::timestamptz[]))
      as written (model, id_hash, payload, grant_id, account_id, expires_at)
      left join ${session.entry} as bound on model = 'AuthorizationCode'
    where ${session.isThere}
    on conflict (model, id_hash) do update set payload = excluded.payload, grant_id = excluded.grant_id,
      account_id = excluded.account_id, expires_at = excluded.expires_at)`
}

/** At most once an hour: for the launcher and for access reviews. */
const insertEntry = ({ clock }: System, { accountId, serviceId }: NonNullable<Writes['entry']>) => sql`entered as (
    insert into service_preferences as known (account_id, service_id, last_used)
    values (${accountId}::uuid, ${serviceId}::uuid, ${clock()}::timestamptz)
    on conflict (account_id, service_id) do update set last_used = excluded.last_used
    where known.last_used is null or known.last_used < excluded.last_used - interval '1 hour')`

async function write(system: System, { artifacts, sessions, exchanged, entry }: Writes): Promise<void> {
  const rows = [...artifacts.values()]
  const others: OtherWrites = (session) => {
    const inserted = insertArtifacts(system, rows, session)
    return entry ? sql`${inserted}, ${insertEntry(system, entry)}` : inserted
  }
  // A code is always marked as used, whatever else is written.
  const more = [...sessions.values()]
  const first = exchanged ? undefined : more.shift()
  if (exchanged) await exchange(system, exchanged, others)
  else if (first) await first(others)
  else if (rows.length > 0 || entry) await executePrepared(system.db, sql`with ${others()} select`)
  for (const one of more) await one((session) => insertArtifacts(system, [], session))
}

/** @throws InvalidGrant if the code or token is used up: then it is a replay, which revokes the grant */
async function exchange(
  { db, clock }: System,
  { model, idHash }: NonNullable<Writes['exchanged']>,
  others: OtherWrites,
): Promise<void> {
  const statement = sql<{ grantId: string | null; isFirst: boolean }>`
    with used as (
      update provider_artifacts set consumed_at = ${clock()}
      where model = ${model} and id_hash = ${idHash} and consumed_at is null returning 1
    ), ${others({ ...noSession, isThere: sql`exists (select from used)` })}
    select grant_id as "grantId", exists (select from used) as "isFirst"
    from provider_artifacts where model = ${model} and id_hash = ${idHash}`
  const [found] = (await executePrepared(db, statement)).rows
  if (found?.isFirst) return
  if (found?.grantId) await db.deleteFrom('providerArtifacts').where('grantId', '=', found.grantId).execute()
  throw new errors.InvalidGrant('already used')
}

type RenderError = NonNullable<Configuration['renderError']>

/** Writes what the requests of this provider save, before they are answered. */
export function writeAtTheEnd(provider: Provider, system: System, renderError: RenderError): void {
  provider.use(async (ctx, next) => {
    const writes: Writes = { artifacts: new Map(), sessions: new Map() }
    waiting.set(ctx, writes)
    await next()
    try {
      await runForProvider(write(system, writes))
    } catch (error) {
      // An internal request that changes a session shows no page: its caller asks the person to try again.
      const isInternal = ctx.respond === false && writes.sessions.size > 0
      if (!(error instanceof errors.OIDCProviderError) || isInternal) throw error
      for (const name of ['location', 'set-cookie']) ctx.remove(name)
      ctx.status = error.statusCode
      if (error instanceof ProviderProblem && error.problem.retryAfter)
        ctx.set('retry-after', String(error.problem.retryAfter))
      const { error: code, error_description: description = '' } = error
      await renderError(ctx as KoaContextWithOIDC, { error: code, error_description: description }, error)
      if (error instanceof errors.InvalidGrant) provider.emit('grant.error', ctx, error)
    }
  })
}
