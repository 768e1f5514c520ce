import { Provider } from 'oidc-provider'
import { createBatchLoader } from '#server/platform/database/batch-loader.ts'
import type { System } from '#server/platform/system.ts'
import { hashId } from '../hash-id.ts'
import { runForProvider } from '../provider-problem.ts'

/** A row of `provider_artifacts`. */
export interface FoundArtifact {
  payload: unknown
  expiresAt: Date | null
  consumedAt: Date | null
}

/** A row of `sessions` whose account may still use it. */
export interface FoundSession {
  uid: string
  accountId: string | null
  authEpoch: number | null
  authenticatedAt: Date | null
  payload: unknown
  expiresAt: Date
  createdAt: Date
}

interface Row extends FoundArtifact {
  /** Hex of the hash under which it is stored. */
  key: string
  model: string
  clientId: string | null
  clientVersion: string | null
  grantId: string | null
  grant: unknown
  grantExpiresAt: Date | null
  uid: string | null
  accountId: string | null
  authEpoch: number | null
  authenticatedAt: Date | null
  session: unknown
  sessionExpiresAt: Date
  createdAt: Date
}

// A code or token with its client, grant and session: the provider asks for them one after the other. `(select $1)` hides the
// array length from the planner, which would otherwise replan every call.
const text = `
  select encode(a.id_hash, 'hex') as key, a.model, a.payload, a.expires_at as "expiresAt", a.consumed_at as "consumedAt",
    c.client_id as "clientId", c.xmin::text as "clientVersion",
    a.grant_id as "grantId", g.payload as "grant", g.expires_at as "grantExpiresAt",
    s.uid, s.account_id as "accountId", s.auth_epoch as "authEpoch", s.authenticated_at as "authenticatedAt",
    s.payload as session, s.expires_at as "sessionExpiresAt", s.created_at as "createdAt"
  from provider_artifacts a
    left join clients c on c.client_id = a.payload ->> 'clientId'
    left join provider_artifacts g on g.model = 'Grant' and g.id_hash = sha256(convert_to(a.grant_id, 'UTF8'))
      and (g.expires_at is null or g.expires_at > $2)
    left join sessions s on s.uid = a.payload ->> 'sessionUid' and s.expires_at > $2 and exists (
      select from users u where u.account_id = s.account_id and s.auth_epoch = u.auth_epoch and u.passive_at is null
        and not u.pending)
  where a.model in ('AccessToken', 'AuthorizationCode', 'ClientCredentials', 'RefreshToken') and a.id_hash = any((select $1)::bytea[])
    and (a.expires_at is null or a.expires_at > $2)`

const models = new Set(['AccessToken', 'AuthorizationCode', 'ClientCredentials', 'RefreshToken'])
const routes = new Set(['introspection', 'token', 'userinfo'])

/** Concurrent requests share a statement, as those for sessions do (decision 0008). */
const loaders = new WeakMap<System, (key: string) => Promise<Row | undefined>>()

function loaderOf(system: System) {
  const { pool, clock } = system
  const present = loaders.get(system)
  if (present) return present
  const loader = createBatchLoader(async (keys: readonly string[]) => {
    const values = [keys.map((key) => Buffer.from(key, 'hex')), clock()]
    const { rows } = await pool.query<Row>({ name: 'read tokens', text, values })
    const byKey = new Map(rows.map((row) => [row.key, row]))
    return keys.map((key) => byKey.get(key))
  })
  loaders.set(system, loader)
  return loader
}

interface Reads {
  tokens: Map<string, Promise<Row | undefined>>
  rows: Row[]
}

/** What was read with a token, of the request that is being handled. */
const reads = new WeakMap<object, Reads>()

const present = () => Provider.ctx && reads.get(Provider.ctx)?.rows

/** Whether one statement should read everything that belongs to such an artifact. */
export const isReadWhole = (model: string): boolean =>
  models.has(model) && routes.has((Provider.ctx?.oidc as { route?: string } | undefined)?.route ?? '')

/**
 * Reads a code or token with its client's version, grant and session, which the adapters then find here. Whatever kind of
 * token it is taken for, it is read once in a request.
 */
export async function readToken(system: System, model: string, id: string): Promise<FoundArtifact | undefined> {
  const { ctx } = Provider
  if (!ctx) throw new Error('a token is read in a request')
  const known: Reads = reads.get(ctx) ?? { tokens: new Map(), rows: [] }
  reads.set(ctx, known)
  const query = async () => {
    const row = await runForProvider(loaderOf(system)(hashId(id).toString('hex')))
    if (row) known.rows.push(row)
    return row
  }
  const reading = known.tokens.get(id) ?? query()
  known.tokens.set(id, reading)
  const row = await reading
  return row?.model === model ? row : undefined
}

/** The grant that was read with a token of this request. */
export function grantOfRequest(id: string): FoundArtifact | undefined {
  const row = present()?.find(({ grantId, grant }) => grantId === id && grant !== null)
  return row && { payload: row.grant, expiresAt: row.grantExpiresAt, consumedAt: null }
}

/** The session likewise. */
export function sessionOfRequest(uid: string): FoundSession | undefined {
  const row = present()?.find((one) => one.uid === uid)
  return row && { ...row, uid, payload: row.session, expiresAt: row.sessionExpiresAt }
}

/** The version of the client likewise. */
export const clientVersionOfRequest = (clientId: string): string | undefined =>
  present()?.find((row) => row.clientId === clientId)?.clientVersion ?? undefined
