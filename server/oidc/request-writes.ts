import { type RawBuilder, sql } from 'kysely'
import { type Configuration, type KoaContextWithOIDC, Provider } from 'oidc-provider'
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
export type InsertArtifacts = (session?: Session) => RawBuilder<unknown>

/** Writes a session, in one statement with what `artifacts` inserts. */
type WriteSession = (artifacts: InsertArtifacts) => Promise<void>

interface Writes {
  artifacts: Map<string, ArtifactRow>
  sessions: Map<string, WriteSession>
}

// The provider saves a session, a grant, a code and tokens one after the other. One statement at the end of the request
// writes all of them, or none.
const waiting = new WeakMap<object, Writes>()

const current = () => Provider.ctx && waiting.get(Provider.ctx)
const keyOf = (model: string, idHash: Buffer) => `${model} ${idHash.toString('hex')}`

/** Writes a row at the end of the request, or at once outside of requests. */
export async function writeArtifact(system: System, row: ArtifactRow): Promise<void> {
  const writes = current()
  if (writes) writes.artifacts.set(keyOf(row.model, row.idHash), row)
  else await runForProvider(executePrepared(system.db, insertArtifacts(system, [row])))
}

/** Writes a session likewise. */
export async function writeSession(system: System, id: string, write: WriteSession): Promise<void> {
  const writes = current()
  if (writes) writes.sessions.set(id, write)
  else await runForProvider(write((session) => insertArtifacts(system, [], session)))
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

function insertArtifacts({ clock }: System, rows: readonly ArtifactRow[], session = noSession): RawBuilder<unknown> {
  const column = (name: keyof ArtifactRow) => rows.map((row) => row[name])
  return sql`
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
      account_id = excluded.account_id, expires_at = excluded.expires_at`
}

async function write(system: System, { artifacts, sessions }: Writes): Promise<void> {
  const rows = [...artifacts.values()]
  const [first, ...others] = sessions.values()
  if (first) await first((session) => insertArtifacts(system, rows, session))
  else if (rows.length > 0) await executePrepared(system.db, insertArtifacts(system, rows))
  for (const other of others) await other((session) => insertArtifacts(system, [], session))
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
      if (!(error instanceof ProviderProblem) || isInternal) throw error
      for (const name of ['location', 'set-cookie']) ctx.remove(name)
      ctx.status = error.problem.status
      if (error.problem.retryAfter) ctx.set('retry-after', String(error.problem.retryAfter))
      const { error: code, error_description: description = '' } = error
      await renderError(ctx as KoaContextWithOIDC, { error: code, error_description: description }, error)
    }
  })
}
