import { type RawBuilder, sql } from 'kysely'
import type { SessionRow } from '../requests/waiting-writes.ts'

/** Maximum number of sessions per user; the oldest is deleted (product-rules 3.4). */
export const maxSessionsPerAccount = 10

/**
 * Deletes the oldest sessions of an account, so that there is room for this one. A `delete` for a `with`, which returns
 * `EndedSession`s.
 *
 * @param when a query with a row, where the session is written
 */
export const deleteOldestSessions = (
  { accountId, idHash, createdAt }: Pick<SessionRow, 'accountId' | 'idHash' | 'createdAt'>,
  when: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  delete from sessions where exists (${when}) and id_hash in (
    select id_hash from sessions
    where account_id = ${accountId}::uuid and id_hash <> ${idHash} and expires_at > ${createdAt}
    order by created_at desc, last_used_at desc offset ${maxSessionsPerAccount - 1})
  returning account_id as "accountId", payload -> 'authorizations' as authorizations`

/**
 * Inserts a session, with the present epoch of its account.
 *
 * @param from the tables of a `from`, with a row where the session is written
 */
export const insertSession = (row: SessionRow, from: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  insert into sessions as present (id_hash, uid, account_id, auth_epoch, authenticated_at, proofs, user_agent, ip, payload,
    created_at, last_used_at, expires_at)
  select ${row.idHash}::bytea, ${row.uid}, ${row.accountId}::uuid,
    (select auth_epoch from users where account_id = ${row.accountId}::uuid), ${row.authenticatedAt}::timestamptz,
    ${row.proofs}::jsonb,
    ${row.userAgent}, ${row.ip}::inet, ${row.payload}::jsonb,
    ${row.createdAt}::timestamptz, ${row.createdAt}::timestamptz, ${row.expiresAt}::timestamptz
  from ${from}`
