import { sql } from 'kysely'
import type { RolePermission } from '#contract/organization-roles/role-permissions.ts'
import type { Language } from '#contract/roles.ts'
import type { Db } from '#server/platform/database/database.ts'

/** Somebody who can be mailed about what they may do. */
export interface Holder {
  accountId: string
  email: string
  firstName: string | null
  preferredLanguage: Language | null
  /** The last day on which they may; null: without an end. */
  until: string | null
}

/**
 * Who can sign in today and may do all of this in an organisation, by whatever role. Mails that ask an organisation to do
 * something go to these people.
 */
export async function listHolders(
  db: Db,
  organizationId: string,
  permissions: readonly RolePermission[],
): Promise<Holder[]> {
  const { rows } = await sql<Holder>`
    select u.account_id as "accountId", u.email, u.first_name as "firstName",
      u.preferred_language as "preferredLanguage", h.until::text as until
    from acting_holders(${organizationId}::uuid, ${[...permissions]}::text[]) h join users u using (account_id)
    order by u.account_id`.execute(db)
  return rows
}
