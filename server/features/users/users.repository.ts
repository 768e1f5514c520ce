import { sql } from 'kysely'
import { personForm } from '#contract/users/user-forms.ts'
import type { Db } from '#server/platform/database/database.ts'
import { listAssignments, listMemberships } from './roles.repository.ts'

const { ssn: _, ...fields } = personForm.shape
const columns = [
  ...(Object.keys(fields) as (keyof typeof fields)[]),
  'accountId',
  'email',
  'ssnSealed',
  'ssnProof',
  'emailProof',
  'openedFor',
  'pending',
  'passiveAt',
  'lastLogin',
  'lastActive',
  'version',
] as const

const row = (db: Db, accountId: string) =>
  db
    .selectFrom('users')
    .select(columns)
    .select(
      sql<Date | null>`(select refused_at from refused_addresses where address = users.email)`.as('emailRefusedAt'),
    )
    .select(sql<string | null>`(select name from organizations where organization_id = opened_for)`.as('openedForName'))
    .where('accountId', '=', accountId)

/** A stored person, with organisations and services in Swedish alphabetical order. */
export type StoredUser = NonNullable<Awaited<ReturnType<typeof findUser>>>

export async function findUser(db: Db, accountId: string) {
  const user = await row(db, accountId).executeTakeFirst()
  return user && { ...user, ...(await listRoles(db, accountId)) }
}

/** Finds and locks a person until the transaction ends. Every change of a person or their roles starts with this. */
export async function lockUser(db: Db, accountId: string): Promise<StoredUser | undefined> {
  const user = await row(db, accountId).forNoKeyUpdate().executeTakeFirst()
  return user && { ...user, ...(await listRoles(db, accountId)) }
}

// One query after the other: a transaction has only one connection.
const listRoles = async (db: Db, accountId: string) => ({
  organizations: await listMemberships(db, accountId),
  services: await listAssignments(db, accountId),
})

/** The member of an organisation with exactly this address. */
export const findMember = (db: Db, { organizationId, email }: { organizationId: string; email: string }) =>
  db
    .selectFrom('memberships')
    .innerJoin('users', 'users.accountId', 'memberships.accountId')
    .select('users.accountId')
    .where('memberships.organizationId', '=', organizationId)
    .where('users.email', '=', email)
    .executeTakeFirst()

/** Raises the version after a change outside the row itself, so that forms opened before are refused. */
export const raiseVersion = (db: Db, accountId: string) =>
  db.updateTable('users').set({ version: sql`version + 1` }).where('accountId', '=', accountId).execute()

/** The same for the admins of one organisation, who may see no more of the person than what is there. */
export const raiseMembershipVersion = (db: Db, accountId: string, organizationId: string) =>
  db
    .updateTable('memberships')
    .set({ version: sql`version + 1` })
    .where('accountId', '=', accountId)
    .where('organizationId', '=', organizationId)
    .execute()

/** Sets when a person was last active; a passive person can then sign in again. */
export const setLastActive = (db: Db, accountId: string, lastActive: Date) =>
  db
    .updateTable('users')
    .set({ lastActive, passiveAt: null, version: sql`version + 1` })
    .where('accountId', '=', accountId)
    .execute()

export const findOrganization = (db: Db, organizationId: string) =>
  db
    .selectFrom('organizations')
    .select(['organizationId', 'name'])
    .where('organizationId', '=', organizationId)
    .executeTakeFirst()

/** Finds a service of an organisation, with its seats. */
export const findOffer = (db: Db, { organizationId, serviceId }: { organizationId: string; serviceId: string }) =>
  db
    .selectFrom('organizationServices')
    .select(['serviceId', 'maxNumberOfUsers', 'seatsUsed'])
    .where('organizationId', '=', organizationId)
    .where('serviceId', '=', serviceId)
    .executeTakeFirst()

/** The services of an organisation. Locks them, so that none can be removed until the transaction ends. */
export const listOfferedServiceIds = async (db: Db, organizationId: string): Promise<ReadonlySet<string>> => {
  const rows = await db
    .selectFrom('organizationServices')
    .select('serviceId')
    .where('organizationId', '=', organizationId)
    .orderBy('serviceId')
    .forKeyShare()
    .execute()
  return new Set(rows.map(({ serviceId }) => serviceId))
}
