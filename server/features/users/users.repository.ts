import { type Insertable, sql, type UpdateObject } from 'kysely'
import { reachingMore } from '#server/accounts/directory-groups.ts'
import { accessDay } from '#server/platform/database/current-access.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { DB } from '#server/platform/database/database-types.ts'

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

export const insertUser = (db: Db, user: Insertable<DB['users']>) => db.insertInto('users').values(user).execute()

/** Changes a person and raises the version. */
export const changeUser = (db: Db, accountId: string, change: UpdateObject<DB, 'users'>) =>
  reachingMore(db, accountId, () =>
    db
      .updateTable('users')
      .set({ ...change, version: sql`version + 1` })
      .where('accountId', '=', accountId)
      .execute(),
  )

/** Notes that the operator vouches for the address of an account, which is no proof. */
export const setOperatorProof = (db: Db, accountId: string) =>
  db.updateTable('users').set({ emailProof: 'operator' }).where('accountId', '=', accountId).execute()

/** The day that counts for access, in Sweden. */
export const readAccessDay = async (db: Db): Promise<string> =>
  (await db.selectNoFrom(accessDay.as('day')).executeTakeFirstOrThrow()).day

/** The day that is so many days ahead, and the last day that a guest of the organisation would have from today. */
export const findExtension = (db: Db, organizationId: string, soonDays: number) =>
  db
    .selectFrom('organizations')
    .select([
      sql<string>`(access_day() + ${soonDays}::integer)::text`.as('soon'),
      sql<string>`(access_day() + coalesce(guest_days, 180))::text`.as('defaultEnd'),
    ])
    .where('organizationId', '=', organizationId)
    .executeTakeFirst()

/** Another admin of the organisation who can sign in and act today, and whose role has no end. */
export const findOtherAdmin = (db: Db, { accountId, organizationId }: { accountId: string; organizationId: string }) =>
  db
    .selectFrom('standingAdmins')
    .select('accountId')
    .where('organizationId', '=', organizationId)
    .where('accountId', '<>', accountId)
    .limit(1)
    .executeTakeFirst()

export async function listOrganizationNames(db: Db, organizationIds: readonly string[]): Promise<string[]> {
  if (organizationIds.length === 0) return []
  const rows = await db
    .selectFrom('organizations')
    .select('name')
    .where('organizationId', 'in', organizationIds)
    .execute()
  return rows.map((row) => row.name)
}

/** Whether what somebody has of a service by hand has ended, and no group gives it today. */
export async function hasEnded(
  db: Db,
  { accountId, organizationId, serviceId }: { accountId: string; organizationId: string; serviceId: string },
): Promise<boolean> {
  const { rows } = await sql`
    select from service_assignments where account_id = ${accountId} and organization_id = ${organizationId}
      and service_id = ${serviceId} and source is not null and coalesce(valid_until, 'infinity') >= access_day()
    union all select from group_grants where account_id = ${accountId} and organization_id = ${organizationId}
      and service_id = ${serviceId} and is_current(valid_from, valid_until)`.execute(db)
  return rows.length === 0
}
