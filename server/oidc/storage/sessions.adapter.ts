import { type RawBuilder, sql } from 'kysely'
import { type Adapter, type AdapterPayload, Provider } from 'oidc-provider'
import { signInMethods } from '#contract/sign-in-methods.ts'
import { executePrepared } from '#server/platform/database/prepared-statements.ts'
import type { System } from '#server/platform/system.ts'
import { hashId } from '../hash-id.ts'
import type { Proofs } from '../proofs.ts'
import { runForProvider } from '../provider-problem.ts'
import { providerTime } from '../provider-time.ts'
import { presentRecord } from '../requests/request-record.ts'
import type { SavedSession } from '../requests/waiting-writes.ts'
import { toStorableIp, toStorableJson, toStorableText } from '../storable.ts'
import { type FoundSession, sessionOfRequest } from '../tokens/read-token.ts'
import { writeSession } from './pending-writes.ts'

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
      await writeSession(system, id, rowOf(system, id, payload, expiresIn))
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
  if (accountId === null) return
  const entries = Object.entries((payload as AdapterPayload).authorizations ?? {})
  const authorizations = new Map(entries.map(([clientId, entry]) => [clientId, JSON.stringify(entry)]))
  presentRecord()?.sessions.set(uid, { idHash, authorizations })
}

/**
 * Before it saves a session of somebody under a new id, the provider removes it under the old one. The row stays and gets
 * the new id, so that a concurrent request that ends the session finds it by its uid.
 *
 * @returns false where the session is to be removed
 */
async function renewId({ db }: System, oldId: string): Promise<boolean> {
  const session = Provider.ctx?.oidc?.session
  const known = session && presentRecord()?.sessions.get(session.uid)
  if (!known || session.jti === oldId) return false
  known.idHash = hashId(session.jti)
  const { idHash } = known
  await runForProvider(db.updateTable('sessions').set({ idHash }).where('idHash', '=', hashId(oldId)).execute())
  return true
}

/** The row of a session, as it is now. */
function rowOf({ clock, config }: System, id: string, payload: AdapterPayload, expiresIn: number): SavedSession {
  const { uid = '', accountId = null, loginTs, jti: _, exp: __, iat: ___, ...rest } = payload
  const { ctx } = Provider
  const record = presentRecord()
  const now = clock()
  const authenticatedAt = loginTs === undefined ? null : providerTime(clock).moment(loginTs)
  const idle = now.getTime() + expiresIn * 1000
  const latest = authenticatedAt ? authenticatedAt.getTime() + config.sessionMaxHours * 3_600_000 : idle
  const known = record?.sessions.get(uid)
  const clientId = ctx?.oidc?.client?.clientId ?? null
  return {
    idHash: hashId(id),
    uid,
    accountId,
    authenticatedAt,
    userAgent: toStorableText(ctx?.get('user-agent') ?? '').slice(0, 400) || null,
    ip: toStorableIp(record?.exchange?.ip),
    payload: toStorableJson(rest),
    createdAt: now,
    expiresAt: new Date(Math.min(idle, latest)),
    clientId,
    known: known && { entry: known.authorizations.get(clientId ?? '') ?? null },
    // Not that of `entities`: this request may have begun another one.
    interaction: String(ctx?.params?.uid),
    proofs: JSON.stringify((ctx?.oidc?.result?.login as { proofs?: Proofs } | undefined)?.proofs ?? {}),
    federated: ctx?.oidc?.result?.login?.amr?.includes(signInMethods.company.mark) ?? false,
  }
}
