import { sql } from 'kysely'
import { reachingMore } from '#server/accounts/directory-groups.ts'
import { isAddressProven, proofColumns } from '#server/oidc/address-proof.ts'
import { awaitsFirstSignIn } from '#server/oidc/first-sign-in.ts'
import type { Db } from '#server/platform/database/database.ts'

/** Finds and locks the person with this address, so that concurrent requests run one after the other. */
export const findPersonForUpdate = (db: Db, email: string) =>
  person(db).where('u.email', '=', email).forUpdate('u').executeTakeFirst()

/** Since when browsers are known to an account, to be read with the count of an attempt. */
export const selectKnownFrom = (email: string) => sql<{ browsersKnownFrom: number | null }>`
  select extract(epoch from browsers_known_from)::float8 * 1000 as "browsersKnownFrom" from users where email = ${email}`

/** Finds a person without locking. */
export const findPersonById = (db: Db, accountId: string) =>
  person(db).where('u.accountId', '=', accountId).executeTakeFirst()

export type ResetPerson = NonNullable<Awaited<ReturnType<typeof findPersonById>>>

const person = (db: Db) =>
  db
    .selectFrom('users as u')
    .select(['u.accountId', 'u.email', 'u.firstName', 'u.lastName', 'u.loginMethod', 'u.operates'])
    .select(['u.preferredLanguage', 'u.pending', 'u.passiveAt', 'u.openedFor'])
    .select([
      sql<
        string[]
      >`array(select organization_id::text from current_memberships m where m.account_id = u.account_id)`.as(
        'organizationIds',
      ),
      sql<string[]>`array(
        select o.name from current_memberships m join organizations o using (organization_id)
        where m.account_id = u.account_id order by o.name)`.as('organizationNames'),
      awaitsFirstSignIn.as('awaited'),
      isAddressProven.as('addressProven'),
    ])

/** Opens the account of a person who takes the address of another one back, without a password yet. */
export const insertSuccessor = (
  db: Db,
  { accountId, email, firstName, lastName, loginMethod, preferredLanguage }: ResetPerson,
  now: Date,
) =>
  db
    .insertInto('users')
    .values({ accountId, email, firstName, lastName, loginMethod, preferredLanguage, lastActive: now })
    .execute()

/** Stores that the address was proven by a mailed link. */
export const setAddressProof = (db: Db, accountId: string, now: Date) =>
  reachingMore(db, accountId, () =>
    db.updateTable('users').set(proofColumns('mailedLink', now)).where('accountId', '=', accountId).execute(),
  )
