import { sql } from 'kysely'
import { Provider } from 'oidc-provider'
import { createBatchLoader } from '#server/platform/database/batch-loader.ts'
import type { System } from '#server/platform/system.ts'
import { hashId } from '../hash-id.ts'
import { runForProvider } from '../provider-problem.ts'
import type { AccountFacts, FoundArtifact, ReadRow } from '../requests/read-row.ts'
import { presentRecord } from '../requests/request-record.ts'
import { accountFacts } from './account-facts.ts'

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

// Stand for the parameters: the statement is compiled once.
const theKeys = 'the keys'
const theTime = 'the time'
const now = sql`${theTime}`
const bound = sql`coalesce(t.payload #>> '{claims,id_token,organization,value}', t.payload #>> '{extra,organization,id}')`

// A code or token with everything that the provider asks for one after the other: client, grant, session and account.
// `(select $1)` hides the array length from the planner, which would otherwise replan every call.
const statement = sql`
  select encode(t.id_hash, 'hex') as key, t.model, t.payload, t.expires_at as "expiresAt", t.consumed_at as "consumedAt",
    c.client_id as "clientId", c.xmin::text as "clientVersion",
    t.grant_id as "grantId", g.payload as "grant", g.expires_at as "grantExpiresAt",
    s.uid, s.account_id as "accountId", s.auth_epoch as "authEpoch", s.authenticated_at as "authenticatedAt",
    s.payload as session, s.expires_at as "sessionExpiresAt", s.created_at as "createdAt",
    u.account_id as "ownerId",
    ${accountFacts({ serviceId: sql`c.service_id`, bound, amr: sql`coalesce(s.payload -> 'amr', '[]')` })}
  from provider_artifacts t
    left join clients c on c.client_id = t.payload ->> 'clientId'
    left join provider_artifacts g on g.model = 'Grant' and g.id_hash = sha256(convert_to(t.grant_id, 'UTF8'))
      and (g.expires_at is null or g.expires_at > ${now})
    left join users u on u.account_id = t.account_id and u.passive_at is null and not u.pending
    left join sessions s on s.uid = t.payload ->> 'sessionUid' and s.expires_at > ${now}
      and s.account_id = u.account_id and s.auth_epoch = u.auth_epoch
  where t.model in ('AccessToken', 'AuthorizationCode', 'ClientCredentials', 'RefreshToken')
    and t.id_hash = any((select ${theKeys})::bytea[]) and (t.expires_at is null or t.expires_at > ${now})`

const models = new Set(['AccessToken', 'AuthorizationCode', 'ClientCredentials', 'RefreshToken'])
const routes = new Set(['introspection', 'token', 'userinfo'])

/** Concurrent requests share a statement, as those for sessions do (decision 0008). */
const loaders = new WeakMap<System, (key: string) => Promise<ReadRow | undefined>>()

function loaderOf(system: System) {
  const { pool, clock, db } = system
  const present = loaders.get(system)
  if (present) return present
  const { sql: text, parameters } = statement.compile(db)
  const loader = createBatchLoader(async (keys: readonly string[]) => {
    const hashes = keys.map((key) => Buffer.from(key, 'hex'))
    const values = parameters.map((one) => (one === theKeys ? hashes : one === theTime ? clock() : one))
    const { rows } = await pool.query<ReadRow>({ name: 'read tokens', text, values })
    const byKey = new Map(rows.map((row) => [row.key, row]))
    return keys.map((key) => byKey.get(key))
  })
  loaders.set(system, loader)
  return loader
}

const present = () => presentRecord()?.rows

/** Whether one statement should read everything that belongs to such an artifact. */
export const isReadWhole = (model: string): boolean =>
  models.has(model) && routes.has((Provider.ctx?.oidc as { route?: string } | undefined)?.route ?? '')

/**
 * Reads a code or token with its client's version, grant, session and account, which the adapters then find here. Whatever
 * kind of token it is taken for, it is read once in a request.
 */
export async function readToken(system: System, model: string, id: string): Promise<FoundArtifact | undefined> {
  const row = await readOnce(system, id)
  return row?.model === model ? row : undefined
}

async function readOnce(system: System, id: string): Promise<ReadRow | undefined> {
  const known = presentRecord()
  if (!known) throw new Error('a token is read in a request')
  const query = async () => {
    const row = await runForProvider(loaderOf(system)(hashId(id).toString('hex')))
    if (row) known.rows.push({ ...row, id })
    return row
  }
  const reading = known.tokens.get(id) ?? query()
  known.tokens.set(id, reading)
  return reading
}

/** Reads the token that a service sends with its own name: its client is asked for first, and comes with it. */
export async function readTokenOfRequest(system: System): Promise<void> {
  const { oidc } = Provider.ctx ?? {}
  const { code, refresh_token: refreshToken, token } = oidc?.params ?? {}
  const id = code ?? refreshToken ?? token
  if (typeof id === 'string' && routes.has((oidc as { route?: string }).route ?? '')) await readOnce(system, id)
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

/** The account likewise, of the token itself. */
export function accountOfRequest(token: object | undefined, accountId: string): AccountFacts | undefined {
  const { jti } = (token ?? {}) as { jti?: string }
  if (jti === undefined) return undefined
  return present()?.find((row) => row.id === jti && row.ownerId === accountId)
}
