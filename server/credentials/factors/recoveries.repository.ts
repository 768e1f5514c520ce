import type { Db } from '#server/platform/database/database.ts'

/** What an admin asked for, and nobody has stopped. */
export interface StoredRecovery {
  accountId: string
  askedBy: string
  reason: string
  askedAt: Date
  dueAt: Date
}

const columns = ['accountId', 'askedBy', 'reason', 'askedAt', 'dueAt'] as const

export const findRecovery = (db: Db, accountId: string): Promise<StoredRecovery | undefined> =>
  db.selectFrom('recoveries').select(columns).where('accountId', '=', accountId).executeTakeFirst()

/** @returns false where one is open already */
export async function insertRecovery(db: Db, recovery: StoredRecovery): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('recoveries')
    .values(recovery)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** Ends one, done or stopped. @returns false where none was open */
export async function endRecovery(db: Db, accountId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('recoveries')
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}

/** Ends those that this account asked for. @returns whose they were */
export async function endRecoveriesAskedBy(db: Db, askedBy: string): Promise<string[]> {
  const ended = await db.deleteFrom('recoveries').where('askedBy', '=', askedBy).returning('accountId').execute()
  return ended.map(({ accountId }) => accountId)
}

/** Accounts whose time to stop one is over, oldest first. */
export async function listDueAccounts(db: Db, now: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('recoveries')
    .select('accountId')
    .where('dueAt', '<=', now)
    .orderBy('dueAt')
    .limit(1000)
    .execute()
  return rows.map(({ accountId }) => accountId)
}
