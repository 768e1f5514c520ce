import { sql } from 'kysely'
import type { Db } from '#server/platform/database.ts'

/** A service that a session reached, and what it knows that session by. */
export interface SignedInService {
  clientId: string
  accountId: string
  sid: string
}

/** What the provider keeps in a session's payload about the clients that it reached. */
type Authorizations = Record<string, { sid?: string; grantId?: string }>
interface Ended {
  accountId: string | null
  authorizations: Authorizations | null
}

/**
 * Ends one session with its grants, codes and tokens. Run it in the transaction that writes the event.
 *
 * @param key the session's, hex
 * @returns the services to tell, once the transaction is through
 */
export async function endSession(db: Db, key: string): Promise<readonly SignedInService[]> {
  const { rows } = await sql<Ended>`
    delete from sessions where id_hash = ${Buffer.from(key, 'hex')}
    returning account_id as "accountId", payload -> 'authorizations' as authorizations`.execute(db)
  return clearUp(db, rows)
}

/**
 * Ends the sessions of an account at once and on every node, interactions under way included: its epoch is raised, and
 * no session from before counts any more.
 *
 * @param exceptSession key of a session that stays, hex
 * @returns the services to tell, once the transaction is through
 */
export async function endAllSessions(
  db: Db,
  accountId: string,
  { exceptSession = '' }: { exceptSession?: string | undefined } = {},
): Promise<readonly SignedInService[]> {
  const kept = Buffer.from(exceptSession, 'hex')
  await sql`
    with raised as (
      update users set auth_epoch = auth_epoch + 1 where account_id = ${accountId} returning auth_epoch)
    update sessions set auth_epoch = raised.auth_epoch from raised
    where sessions.account_id = ${accountId} and id_hash = ${kept}`.execute(db)
  const { rows } = await sql<Ended>`
    delete from sessions where account_id = ${accountId} and id_hash <> ${kept}
    returning account_id as "accountId", payload -> 'authorizations' as authorizations`.execute(db)
  await sql`
    delete from provider_artifacts where account_id = ${accountId} and model = 'Interaction'`.execute(db)
  return clearUp(db, rows)
}

async function clearUp(db: Db, ended: readonly Ended[]): Promise<readonly SignedInService[]> {
  const services: SignedInService[] = []
  const grantIds: string[] = []
  for (const { accountId, authorizations } of ended)
    for (const [clientId, { sid, grantId }] of Object.entries(authorizations ?? {})) {
      if (grantId) grantIds.push(grantId)
      if (accountId && sid) services.push({ clientId, accountId, sid })
    }
  if (grantIds.length > 0) await db.deleteFrom('providerArtifacts').where('grantId', 'in', grantIds).execute()
  return services
}
