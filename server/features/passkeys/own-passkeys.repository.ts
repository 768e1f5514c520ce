import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import type { DB } from '#server/platform/database/database-types.ts'
import { companyList, numberList } from '#server/platform/database/method-lists.ts'

/** A new key of a person. */
type NewKey = Omit<
  DB['passkeys'],
  'endedAt' | 'endedBecause' | 'lastUsedAt' | 'lastUsedBrowser' | 'createdAt' | 'counter'
> & {
  createdAt: Date
  counter: number
}

/**
 * Keeps a new key.
 *
 * @returns false where its id is known already: a key of somebody else cannot be taken over
 */
export async function insertKey(db: Db, { transports, createdAmr, ...key }: NewKey): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('passkeys')
    .values({ ...key, transports: sql`${transports}::text[]`, createdAmr: sql`${createdAmr}::text[]` })
    .onConflict((conflict) => conflict.column('credentialId').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

export const renameKey = (db: Db, id: string, name: string) =>
  db.updateTable('passkeys').set({ name }).where('id', '=', id).execute()

/** Remembers that the browser was asked to make a key by itself, or until when none is offered. */
export const updateHolder = (db: Db, accountId: string, changes: { askedOnTheWayAt: Date } | { offerAfter: Date }) =>
  db.updateTable('passkeyHolders').set(changes).where('accountId', '=', accountId).execute()

/** Whether anybody has live keys of another domain. */
export async function hasOtherDomain(db: Db, rpId: string): Promise<boolean> {
  const row = await db
    .selectFrom('passkeys')
    .select('id')
    .where('endedAt', 'is', null)
    .where('rpId', '<>', rpId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether an account has a way in that is no passkey. */
export async function hasOtherWay(db: Db, accountId: string): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select login_method in (${companyList}) or password_hash is not null or (login_method in (${numberList}) and ssn_sealed is not null) as has
    from users where account_id = ${accountId}`.execute(db)
  return rows[0]?.has ?? false
}
