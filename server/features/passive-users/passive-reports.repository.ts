import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'

/** The organisations whose admins have not been told of everybody who became passive. */
export const listUnreported = (db: Db) =>
  db
    .selectFrom('passiveReports')
    .innerJoin('organizations', 'organizations.organizationId', 'passiveReports.organizationId')
    .select(['organizations.organizationId', 'name'])
    .distinct()
    .execute()

/** Removes what is to be reported to an organisation. @returns whom it was about */
export async function takeReports(db: Db, organizationId: string): Promise<string[]> {
  const reported = await db
    .deleteFrom('passiveReports')
    .where('organizationId', '=', organizationId)
    .returning('accountId')
    .execute()
  return reported.map(({ accountId }) => accountId)
}

interface PassivePerson {
  firstName: string | null
  lastName: string | null
  email: string
  lastActive: Date | null
  /** Belongs to another organisation, too, or works for the operator, which looks the same (security 83). */
  elsewhere: boolean
}

/** Those of the accounts that nobody has reopened since. */
export async function listPassive(db: Db, accountIds: string[], organizationId: string): Promise<PassivePerson[]> {
  const { rows } = await sql<PassivePerson>`
    select first_name as "firstName", last_name as "lastName", email, last_active as "lastActive",
      u.operates or exists (
        select from memberships m where m.account_id = u.account_id and m.organization_id <> ${organizationId}) as elsewhere
    from users u where account_id = any (${accountIds}::uuid[]) and passive_at is not null
    order by last_name, first_name, account_id`.execute(db)
  return rows
}
