import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'

/** Who may invite to an organisation today, and so read the links of its invitations. */
export async function listLinkReaders(db: Db, organizationId: string): Promise<string[]> {
  const { rows } = await sql<{ accountId: string }>`
    select account_id as "accountId" from acting_holders(${organizationId}::uuid, array['invitePeople'])
    union select account_id from users where super_user and not pending and passive_at is null`.execute(db)
  return rows.map(({ accountId }) => accountId)
}
