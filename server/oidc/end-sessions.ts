import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'

/** A service that the session signed in to, and its session id there. */
export interface SignedInService {
  clientId: string
  accountId: string
  sid: string
}

/** The clients of a session, in the provider's payload. */
type Authorizations = Record<string, { sid?: string; grantId?: string }>
interface Ended {
  accountId: string | null
  authorizations: Authorizations | null
}

/**
 * Ends one session with its grants, codes and tokens. Run it in the transaction that writes the audit event.
 *
 * @param key the session key, hex
 * @returns the services to notify after the commit
 */
export async function endSession(db: Db, key: string): Promise<readonly SignedInService[]> {
  const { rows } = await sql<Ended>`
    delete from sessions where id_hash = ${Buffer.from(key, 'hex')}
    returning account_id as "accountId", payload -> 'authorizations' as authorizations`.execute(db)
  return deleteGrants(db, rows)
}

/**
 * Ends all sessions of an account at once, on every node, including open interactions: it raises the account's epoch, which
 * invalidates all earlier sessions.
 *
 * @param exceptSession key of a session to keep, hex
 * @returns the services to notify after the commit
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
  return deleteGrants(db, rows)
}

async function deleteGrants(db: Db, ended: readonly Ended[]): Promise<readonly SignedInService[]> {
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
