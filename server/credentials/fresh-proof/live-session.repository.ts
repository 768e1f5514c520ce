import type { Db } from '#server/platform/database/database.ts'
import { Problem } from '#server/platform/problem.ts'
import type { Session } from '#server/platform/system.ts'

/**
 * Locks the person of a session, which must still live. "This was not me" and a reset lock the person too: what a session adds
 * is there before, and goes with it, or is not added.
 *
 * @throws Problem 401 when the session has ended since the request began
 */
export async function lockLiveSession(db: Db, { key, user }: Session): Promise<void> {
  await db.selectFrom('users').select('accountId').where('accountId', '=', user.accountId).forNoKeyUpdate().execute()
  const live = await db
    .selectFrom('sessions as s')
    .innerJoin('users as u', (join) =>
      join.onRef('u.accountId', '=', 's.accountId').onRef('u.authEpoch', '=', 's.authEpoch'),
    )
    .select('s.uid')
    .where('s.idHash', '=', Buffer.from(key, 'hex'))
    .where('s.accountId', '=', user.accountId)
    .executeTakeFirst()
  if (!live) throw new Problem(401, 'signInRequired')
}
