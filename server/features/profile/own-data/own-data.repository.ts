import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'

const hour = 3_600_000

/** The person's copy, made or being made. */
export const findCopy = (db: Db, accountId: string) =>
  db
    .selectFrom('dataCopies')
    .select(['copyId', 'requestedAt', 'readyAt', 'sealed'])
    .where('accountId', '=', accountId)
    .executeTakeFirst()

/**
 * Asks for a copy, which replaces the last one.
 *
 * @returns false if the last one was asked for within an hour
 */
export async function requestCopy(
  db: Db,
  { accountId, copyId, now }: { accountId: string; copyId: string; now: Date },
): Promise<boolean> {
  const asked = { copyId, requestedAt: now, readyAt: null, sealed: null }
  const row = await db
    .insertInto('dataCopies')
    .values({ accountId, ...asked })
    .onConflict((conflict) =>
      conflict
        .column('accountId')
        .doUpdateSet(asked)
        .where('dataCopies.requestedAt', '<=', new Date(now.getTime() - hour)),
    )
    .returning('copyId')
    .executeTakeFirst()
  return row !== undefined
}

/** Whom a copy that is still to be made is for. */
export const findRequest = (db: Db, copyId: string) =>
  db
    .selectFrom('dataCopies as d')
    .innerJoin('users as u', 'u.accountId', 'd.accountId')
    .select(['d.accountId', 'u.email', 'u.firstName', 'u.preferredLanguage'])
    .where('d.copyId', '=', copyId)
    .where('d.readyAt', 'is', null)
    .executeTakeFirst()

/** @returns false if it is no longer wanted */
export async function storeCopy(db: Db, copyId: string, sealed: Buffer, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('dataCopies')
    .set({ sealed, readyAt: now })
    .where('copyId', '=', copyId)
    .where('readyAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Gives up a copy that could not be made, so that the person can ask again. */
export const forgetCopy = (db: Db, copyId: string) =>
  sql`delete from data_copies where copy_id = ${copyId} and ready_at is null`.execute(db)
