import { isIP } from 'node:net'
import { sql } from 'kysely'
import { type Adapter, type AdapterPayload, Provider } from 'oidc-provider'
import { writeAuditEvent } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database.ts'
import { prepared } from '#server/platform/prepared-statements.ts'
import type { System } from '#server/platform/system.ts'
import { complete, openCompletion } from './completion.ts'
import { exchangeOf } from './exchange.ts'
import { idHash } from './id-hash.ts'
import { asked } from './provider-problem.ts'
import { providerTime } from './provider-time.ts'
import { storableJson, storableText } from './storable.ts'

/** A person has at most this many sessions; the oldest goes (security.md, Limits). */
const sessionsPerAccount = 10

// The epoch that a session was found with, by request and uid: a session that gets a new id must not outlive an
// "end all sessions" that came between finding and storing it.
const epochs = new WeakMap<object, Map<string, number>>()

/** The provider's sessions in the table `sessions`. */
export function sessionsAdapter(system: System): Adapter {
  const { db, clock } = system
  const find = async (column: 'idHash' | 'uid', value: Buffer | string) => {
    const statement = db
      .selectFrom('sessions as s')
      .leftJoin('users as u', 'u.accountId', 's.accountId')
      .select(['s.uid', 's.accountId', 's.authEpoch', 's.authenticatedAt', 's.payload', 's.expiresAt', 's.createdAt'])
      .where(`s.${column}`, '=', value as never)
      .where('s.expiresAt', '>', clock())
      .where(
        sql<boolean>`(s.account_id is null or (s.auth_epoch = u.auth_epoch and u.passive_at is null and not u.pending))`,
      )
    const [found] = (await asked(prepared(db, statement))).rows
    if (!found) return undefined
    const { ctx } = Provider
    if (ctx && found.authEpoch !== null) {
      const known = epochs.get(ctx) ?? new Map<string, number>()
      epochs.set(ctx, known.set(found.uid, found.authEpoch))
    }
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
      await asked(save(system, id, payload, expiresIn))
    },
    async find(id) {
      const payload = await find('idHash', idHash(id))
      return payload && { ...payload, jti: id }
    },
    findByUid: (uid) => find('uid', uid),
    async destroy(id) {
      if (isSignOut(id)) await asked(signOut(system, id))
      else await asked(db.deleteFrom('sessions').where('idHash', '=', idHash(id)).execute())
    },
    async consume() {
      throw new Error('a session is not used up')
    },
    async revokeByGrantId() {
      throw new Error('a session has no grant')
    },
    async findByUserCode() {
      throw new Error('a session has no user code')
    },
  }
}

async function save(
  { db, clock, config }: System,
  id: string,
  payload: AdapterPayload,
  expiresIn: number,
): Promise<void> {
  const { uid = '', accountId = null, loginTs, jti: _, exp: __, iat: ___, ...rest } = payload
  const { ctx } = Provider
  const now = clock()
  const authenticatedAt = loginTs === undefined ? null : providerTime(clock).moment(loginTs)
  const idle = now.getTime() + expiresIn * 1000
  const latest = authenticatedAt ? authenticatedAt.getTime() + config.sessionMaxHours * 3_600_000 : idle
  const knownEpoch = (ctx && epochs.get(ctx)?.get(uid)) ?? null
  const exchange = ctx && exchangeOf(ctx.req)
  const userAgent = storableText(ctx?.get('user-agent') ?? '').slice(0, 400) || null
  const fresh = accountId !== null && knownEpoch === null
  const completion = openCompletion()
  const together = completion !== undefined && completion.proof.accountId === accountId
  // The person comes before the sessions, as where all of them are ended, and the oldest goes before the new one: what
  // else the statement does must not hold the end of the audit chain while it waits for that.
  const session = sql`
    oldest as (
      delete from sessions where ${fresh} ${together ? sql`and exists (select from noted)` : sql``} and id_hash in (
        select id_hash from sessions
        where account_id = ${accountId}::uuid and id_hash <> ${idHash(id)} and expires_at > ${now}
        order by created_at desc, last_used_at desc offset ${sessionsPerAccount - 1})
      returning 1
    ), saved as (
      insert into sessions as present (id_hash, uid, account_id, auth_epoch, authenticated_at, user_agent, ip, payload,
        created_at, last_used_at, expires_at)
      select ${idHash(id)}::bytea, ${uid}, ${accountId}::uuid,
        coalesce(${knownEpoch}::integer, (select auth_epoch from users where account_id = ${accountId}::uuid)),
        ${authenticatedAt}::timestamptz, ${userAgent}, ${addressOf(exchange?.ip)}::inet, ${storableJson(rest)}::jsonb,
        ${now}::timestamptz, ${now}::timestamptz, ${new Date(Math.min(idle, latest))}::timestamptz
      from (select count(*) from oldest) as ended ${together ? sql`, noted` : sql``}
      on conflict (id_hash) do update set uid = excluded.uid, account_id = excluded.account_id,
        auth_epoch = case when present.account_id = excluded.account_id then present.auth_epoch else excluded.auth_epoch end,
        authenticated_at = excluded.authenticated_at, user_agent = excluded.user_agent, ip = excluded.ip,
        payload = excluded.payload, last_used_at = excluded.last_used_at, expires_at = excluded.expires_at
      returning 1
    )`
  if (together) await complete(completion, session)
  else await prepared(db, sql`with ${session} select from saved`)
}

// What a proxy says of a client may be anything; a zone (`fe80::1%eth0`) is no part of an address.
function addressOf(ip = ''): string | null {
  const [address = ''] = ip.split('%')
  return isIP(address) ? address : null
}

// The provider removes a session when it gets a new id, and when a person signs out by way of a service.
function isSignOut(id: string): boolean {
  const oidc = Provider.ctx?.oidc
  return oidc?.route === 'end_session_confirm' && oidc.session?.jti === id
}

/** Removes the session and writes the event that tells of it, together. */
async function signOut({ db, clock }: System, id: string): Promise<void> {
  const exchange = Provider.ctx && exchangeOf(Provider.ctx.req)
  await db.transaction().execute(async (trx) => {
    const ended = await trx
      .deleteFrom('sessions')
      .where('idHash', '=', idHash(id))
      .returning('accountId')
      .executeTakeFirst()
    if (!ended?.accountId) return
    const actor = await labelled(trx, ended.accountId)
    await writeAuditEvent(
      trx,
      { name: 'logout', target: actor },
      { actor, requestId: exchange?.id ?? '', now: clock() },
    )
  })
}

async function labelled(db: Db, accountId: string) {
  const user = await db.selectFrom('users').select('email').where('accountId', '=', accountId).executeTakeFirstOrThrow()
  const memberships = await db
    .selectFrom('memberships')
    .select('organizationId')
    .where('accountId', '=', accountId)
    .execute()
  return {
    id: accountId,
    label: user.email,
    organizationIds: memberships.map((membership) => membership.organizationId),
  }
}
