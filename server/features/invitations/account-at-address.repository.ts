import type { Selectable } from 'kysely'
import { isAddressProven, yieldsTo } from '#server/oidc/address-proof.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { DB } from '#server/platform/database/database-types.ts'

const select = (db: Db, email: string) =>
  db
    .selectFrom('users as u')
    .select(['u.accountId', 'u.email', 'u.operates', 'u.pending', isAddressProven.as('isProven')])
    .where('u.email', '=', email)

/** The account of an address, if it has one. */
export const findAccountAt = (db: Db, email: string) => select(db, email).executeTakeFirst()
/** Finds and locks the account until the transaction ends. */
export const lockAccountAt = (db: Db, email: string) => select(db, email).forNoKeyUpdate('u').executeTakeFirst()
export type AccountAtAddress = NonNullable<Awaited<ReturnType<typeof findAccountAt>>>

/** Finds and locks the account at an address, if it makes way for whom this organisation names. */
export const lockYielding = (db: Db, { email, organizationId }: { email: string; organizationId: string }) =>
  db
    .selectFrom('users as u')
    .innerJoin('organizations as o', (join) => join.on('o.organizationId', '=', organizationId))
    .select('u.accountId')
    .where('u.email', '=', email)
    .where(yieldsTo('o.organizationId'))
    .forNoKeyUpdate('u')
    .executeTakeFirst()

/** The account columns that an acceptance sets. */
export type Acceptance = Pick<
  Selectable<DB['users']>,
  | 'firstName'
  | 'lastName'
  | 'preferredLanguage'
  | 'ssnSealed'
  | 'ssnIndex'
  | 'ssnProof'
  | 'ssnProvenAt'
  | 'ssnClaim'
  | 'loginMethod'
  | 'samlConfigId'
  | 'passwordHash'
  | 'passwordChangedAt'
  | 'pending'
  | 'lastActive'
  | 'emailProof'
  | 'emailProvenAt'
  | 'openedFor'
>

/** @returns the epoch of the new account; undefined if the address already has one */
export async function insertAccount(
  db: Db,
  account: Acceptance & { accountId: string; email: string; superUser: boolean },
): Promise<number | undefined> {
  const row = await db
    .insertInto('users')
    .values(account)
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('authEpoch')
    .executeTakeFirst()
  return row?.authEpoch
}
