import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'

/** Whether who answers for a token may decide everything in its organisation today. */
export async function tokenStands(db: Db, tokenId: string): Promise<boolean> {
  const { rows } = await sql<{ stands: boolean }>`select token_stands(${tokenId}::uuid) as stands`.execute(db)
  return rows[0]?.stands ?? false
}

/** Whether one of these is more than a member of the organisation. */
export async function hasRights(
  db: Db,
  { organizationId, accountIds }: { organizationId: string; accountIds: readonly string[] },
): Promise<boolean> {
  const { rows } = await sql`
    select from unnest(${accountIds as string[]}::uuid[]) as id where has_rights(id, ${organizationId}::uuid) limit 1`.execute(
    db,
  )
  return rows.length > 0
}

/** Whether an invitation promises more than an ordinary membership. */
export async function promisesRights(db: Db, invitationId: string): Promise<boolean> {
  const { rows } = await sql`
    select from invitations where invitation_id = ${invitationId} and user_role <> 'regular'
    union all
    select from invitation_services where invitation_id = ${invitationId} and user_role <> 'regular' limit 1`.execute(
    db,
  )
  return rows.length > 0
}

/** Makes somebody answer for a token from now on. @returns its name */
export const answerFor = (
  db: Db,
  { organizationId, tokenId, accountId }: { organizationId: string; tokenId: string; accountId: string },
  now: Date,
) =>
  db
    .updateTable('scimTokens')
    .set({ answersFor: accountId })
    .where('organizationId', '=', organizationId)
    .where('tokenId', '=', tokenId)
    .where('expiresAt', '>', now)
    .returning('name')
    .executeTakeFirst()
