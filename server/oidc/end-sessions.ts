import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { type EndedSession, queueLogouts } from './logout/queue-logouts.ts'

/**
 * Ends one session with its grants, codes and tokens, and queues logout tokens for its services. Run it in the transaction
 * that writes the audit event.
 *
 * @param uid of the session; its id changes, even while it is being ended
 * @returns the id of the sign-out; undefined if no service took part
 */
export async function endSession(db: Db, uid: string): Promise<string | undefined> {
  const { rows } = await sql<EndedSession>`
    with ended as (
      delete from sessions where uid = ${uid}
      returning uid, account_id as "accountId", payload -> 'authorizations' as authorizations),
    forgotten as (delete from saml_sessions where session_uid in (select uid from ended))
    select "accountId", authorizations from ended`.execute(db)
  return queueLogouts(db, rows)
}

/**
 * Ends all sessions of an account at once, on every node, including open interactions: it raises the account's epoch, which
 * invalidates all earlier sessions. Their services are told.
 *
 * @param exceptSession key of a session to keep, hex
 */
export async function endAllSessions(
  db: Db,
  accountId: string,
  { exceptSession = '' }: { exceptSession?: string | undefined } = {},
): Promise<void> {
  const kept = Buffer.from(exceptSession, 'hex')
  await sql`
    with raised as (
      update users set auth_epoch = auth_epoch + 1 where account_id = ${accountId} returning auth_epoch)
    update sessions set auth_epoch = raised.auth_epoch from raised
    where sessions.account_id = ${accountId} and id_hash = ${kept}`.execute(db)
  const { rows } = await sql<EndedSession>`
    with ended as (
      delete from sessions where account_id = ${accountId} and id_hash <> ${kept}
      returning uid, account_id as "accountId", payload -> 'authorizations' as authorizations),
    forgotten as (delete from saml_sessions where session_uid in (select uid from ended))
    select "accountId", authorizations from ended`.execute(db)
  await sql`
    delete from provider_artifacts where account_id = ${accountId} and model = 'Interaction'`.execute(db)
  await queueLogouts(db, rows)
}
