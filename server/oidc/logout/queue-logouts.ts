import type { Db } from '#server/platform/database/database.ts'
import { sendJob } from '#server/platform/database/send-job.ts'
import { withTransaction } from '#server/platform/database/transactions.ts'
import { newId } from '#server/platform/ids.ts'
import { portalClientId } from '../clients.adapter.ts'

/** The clients of a session, in the provider's payload. */
export type Authorizations = Record<string, { sid?: string; grantId?: string }>

/** A session that has ended, with the services that it signed in to. */
export interface EndedSession {
  accountId: string | null
  authorizations: Authorizations | null
}

/** The queue of logout tokens. */
export const logoutQueue = 'logout'

/**
 * Revokes the grants of ended sessions, with their codes and tokens, and queues a logout token for each service. Both belong
 * to the transaction that ends the sessions: no service is told of what was rolled back, and none is forgotten.
 *
 * @returns the id of this sign-out, or undefined if no service took part
 */
export async function queueLogouts(db: Db, ended: readonly EndedSession[]): Promise<string | undefined> {
  const services = ended.flatMap(({ accountId, authorizations }) =>
    Object.entries(authorizations ?? {}).map(([clientId, { sid, grantId }]) => ({ accountId, clientId, sid, grantId })),
  )
  const grantIds = services.flatMap(({ grantId }) => (grantId ? [grantId] : []))
  if (grantIds.length > 0) await db.deleteFrom('providerArtifacts').where('grantId', 'in', grantIds).execute()
  const told = services.filter(({ clientId }) => clientId !== portalClientId)
  if (told.length === 0) return undefined
  const addresses = await findAddresses(db, [...new Set(told.map(({ clientId }) => clientId))])
  const signOut = newId()
  const rows = told.flatMap(({ accountId, clientId, sid }) => {
    const address = addresses.get(clientId)
    // The client is gone.
    if (!accountId || !sid || address === undefined) return []
    return [
      { id: newId(), clientId, accountId, sid, signOut, state: address ? ('queued' as const) : ('untold' as const) },
    ]
  })
  if (rows.length === 0) return undefined
  await db.insertInto('logoutDeliveries').values(rows).execute()
  for (const { id, state } of rows) if (state === 'queued') await sendJob(db, logoutQueue, id)
  return signOut
}

/** The same for sessions that a statement of its own has ended: one sign-in too many ends the oldest session. */
export const queueOldestLogouts = async (db: Db, ended: readonly EndedSession[] | null | undefined): Promise<void> => {
  if (ended) await withTransaction(db, (trx) => queueLogouts(trx, ended))
}

/** Null: a client without an address for logout tokens. */
async function findAddresses(db: Db, clientIds: readonly string[]): Promise<Map<string, string | null>> {
  const clients = await db
    .selectFrom('clients')
    .select(['clientId', 'backchannelLogoutUri'])
    .where('clientId', 'in', clientIds)
    .execute()
  return new Map(clients.map(({ clientId, backchannelLogoutUri }) => [clientId, backchannelLogoutUri]))
}
