import { endAllSessions } from '#server/oidc/end-sessions.ts'
import type { Db } from '#server/platform/database/database.ts'
import { freeingSeats } from './group-access.ts'

/**
 * Ends an account for good: its sessions and tokens, and the row with everything that hangs on it by foreign keys. Its
 * services are told by logout tokens. Nobody ever gets its id again, so a `sub` never passes to another person.
 */
export async function endAccount(db: Db, accountId: string): Promise<void> {
  await endAllSessions(db, accountId)
  await db.selectFrom('users').where('accountId', '=', accountId).forUpdate().execute()
  await freeingSeats(db, { accountId }, () => db.deleteFrom('users').where('accountId', '=', accountId).execute())
}
