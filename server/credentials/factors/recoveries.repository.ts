import { sql } from 'kysely'
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

/** None where a factor was added or used since: it is not lost, and the recovery would take off the new one. */
export const findRecovery = (db: Db, accountId: string): Promise<StoredRecovery | undefined> =>
  db
    .selectFrom('recoveries as r')
    .select(columns)
    .where('accountId', '=', accountId)
    .where(
      sql<boolean>`not exists (
        select from authenticator_apps a
        where a.account_id = r.account_id and greatest(a.created_at, a.last_used_at) > r.asked_at)`,
    )
    .where(
      sql<boolean>`not exists (
        select from passkeys p
        where p.account_id = r.account_id and p.ended_at is null and (p.verified or not p.on_the_way)
          and greatest(p.created_at, p.last_used_at) > r.asked_at)`,
    )
    .executeTakeFirst()

export const insertRecovery = (db: Db, recovery: StoredRecovery) =>
  db.insertInto('recoveries').values(recovery).execute()

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

/** Of these organisations, how many this account has administered since then. */
export async function countAdministered(
  db: Db,
  { accountId, organizationIds, since }: { accountId: string; organizationIds: readonly string[]; since: Date },
): Promise<number> {
  const rows = await db
    .selectFrom('memberships')
    .select('organizationId')
    .where('accountId', '=', accountId)
    .where('organizationId', 'in', organizationIds)
    .where('userRole', '=', 'organizationAdmin')
    .where('roleSince', '<=', since)
    .execute()
  return rows.length
}
