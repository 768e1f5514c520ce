import { isIP } from 'node:net'
import { type RawBuilder, sql } from 'kysely'
import { type Adapter, type AdapterPayload, Provider } from 'oidc-provider'
import { createAttached } from '#server/platform/attached.ts'
import { executePrepared } from '#server/platform/database/prepared-statements.ts'
import { Problem } from '#server/platform/problem.ts'
import type { System } from '#server/platform/system.ts'
import { hashId } from './hash-id.ts'
import { linkSamlSession } from './logout/link-saml-session.ts'
import { type EndedSession, queueOldestLogouts } from './logout/queue-logouts.ts'
import { runForProvider } from './provider-problem.ts'
import { providerTime } from './provider-time.ts'
import { type OtherWrites, writeSession } from './request-writes.ts'
import { findRequest } from './requests/provider-requests.ts'
import { toStorableJson, toStorableText } from './storable.ts'
import { type FoundSession, sessionOfRequest } from './tokens/read-token.ts'

/** Maximum number of sessions per user; the oldest is deleted (product-rules 3.4). */
export const maxSessionsPerAccount = 10

interface KnownSession {
  idHash: Buffer
  /** JSON by client: what another request has changed since counts, and not what this one made meanwhile. */
  authorizations: ReadonlyMap<string, string>
}

// A session as it was read, by request and uid.
const knownSessions = createAttached<object, Map<string, KnownSession>>('sessions')

/** The provider's sessions in the table `sessions`. */
export function sessionsAdapter(system: System): Adapter {
  const { db, clock } = system
  const find = async (where: RawBuilder<unknown>) => {
    const statement = sql<FoundSession & { idHash: Buffer }>`
      select s.id_hash as "idHash", s.uid, s.account_id as "accountId", s.auth_epoch as "authEpoch",
        s.authenticated_at as "authenticatedAt", s.payload, s.expires_at as "expiresAt", s.created_at as "createdAt"
      from sessions s left join users u on u.account_id = s.account_id
      where ${where} and s.expires_at > ${clock()}
        and (s.account_id is null or (s.auth_epoch = u.auth_epoch and u.passive_at is null and not u.pending))`
    const [found] = (await runForProvider(executePrepared(db, statement))).rows
    if (found) remember(found)
    return found && asPayload(found)
  }
  const asPayload = (found: FoundSession) => {
    const time = providerTime(clock)
    const payload: AdapterPayload = {
      ...(found.payload as AdapterPayload),
      uid: found.uid,
      iat: time.seconds(found.createdAt),
      exp: time.seconds(found.expiresAt),
    }
    if (found.accountId) payload.accountId = found.accountId
    if (found.authenticatedAt) payload.loginTs = time.seconds(found.authenticatedAt)
    return payload
  }
  return {
    async upsert(id, payload, expiresIn = 0) {
      await writeSession(system, id, save(system, id, payload, expiresIn))
    },
    async find(id) {
      const payload = await find(sql`s.id_hash = ${hashId(id)}`)
      return payload && { ...payload, jti: id }
    },
    async findByUid(uid) {
      const known = sessionOfRequest(uid)
      return known ? asPayload(known) : find(sql`s.uid = ${uid}`)
    },
    async destroy(id) {
      if (await renewId(system, id)) return
      await runForProvider(db.deleteFrom('sessions').where('idHash', '=', hashId(id)).execute())
    },
    async consume() {
      throw new Error('sessions cannot be consumed')
    },
    async revokeByGrantId() {
      throw new Error('sessions have no grant')
    },
    async findByUserCode() {
      throw new Error('sessions have no user code')
    },
  }
}

function remember({ idHash, uid, accountId, payload }: FoundSession & { idHash: Buffer }): void {
  const { ctx } = Provider
  if (!ctx || accountId === null) return
  const entries = Object.entries((payload as AdapterPayload).authorizations ?? {})
  const authorizations = new Map(entries.map(([clientId, entry]) => [clientId, JSON.stringify(entry)]))
  const known = knownSessions.get(ctx) ?? new Map<string, KnownSession>()
  knownSessions.set(ctx, known.set(uid, { idHash, authorizations }))
}

/**
 * Before it saves a session of somebody under a new id, the provider removes it under the old one. The row stays and gets
 * the new id, so that a concurrent request that ends the session finds it by its uid.
 *
 * @returns false where the session is to be removed
 */
async function renewId({ db }: System, oldId: string): Promise<boolean> {
  const { ctx } = Provider
  const session = ctx?.oidc?.session
  const known = ctx && session && knownSessions.get(ctx)?.get(session.uid)
  if (!known || session.jti === oldId) return false
  known.idHash = hashId(session.jti)
  const { idHash } = known
  await runForProvider(db.updateTable('sessions').set({ idHash }).where('idHash', '=', hashId(oldId)).execute())
  return true
}

/** The statement that saves a session; its values are those of now. */
function save(
  { db, clock, config }: System,
  id: string,
  payload: AdapterPayload,
  expiresIn: number,
): (others: OtherWrites) => Promise<void> {
  const { uid = '', accountId = null, loginTs, jti: _, exp: __, iat: ___, ...rest } = payload
  const { ctx } = Provider
  const now = clock()
  const authenticatedAt = loginTs === undefined ? null : providerTime(clock).moment(loginTs)
  const idle = now.getTime() + expiresIn * 1000
  const latest = authenticatedAt ? authenticatedAt.getTime() + config.sessionMaxHours * 3_600_000 : idle
  const known = ctx && knownSessions.get(ctx)?.get(uid)
  const clientId = ctx?.oidc?.client?.clientId ?? null
  const knownEntry = known?.authorizations.get(clientId ?? '') ?? null
  const exchange = ctx && findRequest(ctx.req)
  const userAgent = toStorableText(ctx?.get('user-agent') ?? '').slice(0, 400) || null
  const login = ctx?.oidc?.result?.login
  // Not that of `entities`: this request may have begun another one.
  const interaction = String(ctx?.params?.uid)
  const fresh = accountId !== null && !known
  // A session that was read is updated only while its row exists: an ended session is not created again. A new one needs the
  // interaction that it was proven in, which is deleted when all sessions of the account end.
  const isThere = known
    ? sql`exists (select from present_entry)`
    : sql`(not ${fresh}::boolean or exists (
        select from provider_artifacts
        where model = 'Interaction' and id_hash = ${hashId(interaction)} and account_id = ${accountId}::uuid))`
  const entry = sql`(select entry from present_entry where entry is distinct from ${knownEntry}::jsonb)`
  const statement = (others: OtherWrites) => sql<{ ended: EndedSession[] | null }>`
    with present_entry as (
      select payload -> 'authorizations' -> ${clientId}::text as entry from sessions
      where id_hash = ${hashId(id)} and account_id = ${accountId}::uuid for update
    ), ${others({ isThere, entry })}, oldest as (
      delete from sessions where ${fresh} and ${isThere} and id_hash in (
        select id_hash from sessions
        where account_id = ${accountId}::uuid and id_hash <> ${hashId(id)} and expires_at > ${now}
        order by created_at desc, last_used_at desc offset ${maxSessionsPerAccount - 1})
      returning account_id, payload -> 'authorizations' as authorizations
    )
    insert into sessions as present (id_hash, uid, account_id, auth_epoch, authenticated_at, user_agent, ip, payload,
      created_at, last_used_at, expires_at)
    select ${hashId(id)}::bytea, ${uid}, ${accountId}::uuid,
      (select auth_epoch from users where account_id = ${accountId}::uuid), ${authenticatedAt}::timestamptz,
      ${userAgent}, ${toStorableIp(exchange?.ip)}::inet, ${toStorableJson(rest)}::jsonb,
      ${now}::timestamptz, ${now}::timestamptz, ${new Date(Math.min(idle, latest))}::timestamptz
    from (select count(*) from oldest) as ended where ${isThere}
    on conflict (id_hash) do update set uid = excluded.uid, account_id = excluded.account_id,
      auth_epoch = case when present.account_id = excluded.account_id then present.auth_epoch else excluded.auth_epoch end,
      authenticated_at = excluded.authenticated_at, user_agent = excluded.user_agent, ip = excluded.ip,
      payload = case when present.account_id = excluded.account_id then jsonb_set(
        excluded.payload, '{authorizations}', coalesce(present.payload -> 'authorizations', '{}') || jsonb_strip_nulls(
          jsonb_build_object(coalesce(${clientId}::text, ''),
            coalesce(${entry}, excluded.payload -> 'authorizations' -> ${clientId}::text))))
        else excluded.payload end, last_used_at = excluded.last_used_at, expires_at = excluded.expires_at
    returning (
      select json_agg(json_build_object('accountId', account_id, 'authorizations', authorizations)) from oldest) as ended`
  return async (others) => {
    const { rows } = await executePrepared(db, statement(others))
    if (!rows[0]) throw new Problem(401, 'signInOver')
    await queueOldestLogouts(db, rows[0].ended)
    if (accountId && login?.amr?.includes('fed')) await linkSamlSession(db, { interaction, accountId, sessionUid: uid })
  }
}

// A proxy may send an invalid address; the zone (`fe80::1%eth0`) is not part of an address.
export function toStorableIp(ip = ''): string | null {
  const [address = ''] = ip.split('%')
  return isIP(address) ? address : null
}
