import { sql } from 'kysely'
import type { Db } from '#server/platform/database.ts'
import { listAssignments, listMemberships } from './users.ts'

const columns = [
  'accountId',
  'email',
  'firstName',
  'lastName',
  'ssnSealed',
  'phoneNumber',
  'preferredLanguage',
  'loginMethod',
  'samlConfigId',
  'superUser',
  'pending',
  'passiveAt',
  'lastLogin',
  'lastActive',
  'maxPassiveDays',
  'version',
] as const

const row = (db: Db, accountId: string) => db.selectFrom('users').select(columns).where('accountId', '=', accountId)

/** A person as the database has them, with organisations and services, each by the Swedish alphabet. */
export type StoredUser = NonNullable<Awaited<ReturnType<typeof findUser>>>

export async function findUser(db: Db, accountId: string) {
  const user = await row(db, accountId).executeTakeFirst()
  return user && { ...user, ...(await belongings(db, accountId)) }
}

/** The same, locked until the transaction ends: whoever changes a person or what they belong to begins here. */
export async function lockUser(db: Db, accountId: string): Promise<StoredUser | undefined> {
  const user = await row(db, accountId).forNoKeyUpdate().executeTakeFirst()
  return user && { ...user, ...(await belongings(db, accountId)) }
}

// One after the other: in a transaction there is one connection.
const belongings = async (db: Db, accountId: string) => ({
  organizations: await listMemberships(db, accountId),
  services: await listAssignments(db, accountId),
})

/** The member of an organisation with this very address. */
export const findMember = (db: Db, { organizationId, email }: { organizationId: string; email: string }) =>
  db
    .selectFrom('memberships')
    .innerJoin('users', 'users.accountId', 'memberships.accountId')
    .select('users.accountId')
    .where('memberships.organizationId', '=', organizationId)
    .where('users.email', '=', email)
    .executeTakeFirst()

/** Removes the row, and with it everything that hangs on it. */
export const removeUser = (db: Db, accountId: string) =>
  db.deleteFrom('users').where('accountId', '=', accountId).execute()

/** For what is changed beside the row itself: a form that was opened before is stale. */
export const raiseVersion = (db: Db, accountId: string) =>
  db.updateTable('users').set({ version: sql`version + 1` }).where('accountId', '=', accountId).execute()

/** Says when somebody was last active; a passive person can sign in again. */
export const setLastActive = (db: Db, accountId: string, lastActive: Date) =>
  db
    .updateTable('users')
    .set({ lastActive, passiveAt: null, version: sql`version + 1` })
    .where('accountId', '=', accountId)
    .execute()

export const findOrganization = (db: Db, organizationId: string) =>
  db
    .selectFrom('organizations')
    .select('organizationId')
    .where('organizationId', '=', organizationId)
    .executeTakeFirst()

/** Does the organisation have the service? */
export const findOffer = (db: Db, { organizationId, serviceId }: { organizationId: string; serviceId: string }) =>
  db
    .selectFrom('organizationServices')
    .select('serviceId')
    .where('organizationId', '=', organizationId)
    .where('serviceId', '=', serviceId)
    .executeTakeFirst()
