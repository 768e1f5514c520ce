import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'

/** The event of a deletion, with who was deleted. */
export async function findDeletion(db: Db, eventId: string) {
  const row = await db
    .selectFrom('auditEvents')
    .select(['targetId', 'target', 'organizationIds'])
    .where('id', '=', eventId)
    .where('name', '=', 'deleteUser')
    .executeTakeFirst()
  return row?.targetId && row.target ? { ...row, targetId: row.targetId, target: row.target } : undefined
}

/** The addresses and whole names that someone had who was deleted, without those that someone has now. */
export async function findFormerNames(db: Db, subjectId: string) {
  const { rows } = await sql<{ addresses: string[]; names: string[] }>`
    select former_addresses(${subjectId}) as addresses, array(
      select concat_ws(' ', first_name, last_name) from former_names f where account_id::text = ${subjectId}
        and not exists (select from users u where (u.first_name, u.last_name) = (f.first_name, f.last_name))
    ) as names`.execute(db)
  return rows[0] ?? { addresses: [], names: [] }
}

/** Erases addresses and names where they stand outside the audit log. */
export async function eraseElsewhere(
  db: Db,
  { addresses, names }: Awaited<ReturnType<typeof findFormerNames>>,
  pseudonym: string,
): Promise<void> {
  if (addresses.length > 0) {
    await db.deleteFrom('outboxMessages').where('recipient', 'in', addresses).execute()
    await db.deleteFrom('repeatedFailures').where('label', 'in', addresses).execute()
    await db.deleteFrom('samlSignIns').where('email', 'in', addresses).execute()
    await db.updateTable('accessReviews').set({ finishedBy: pseudonym }).where('finishedBy', 'in', addresses).execute()
    await db.updateTable('accessReviewRows').set({ decidedBy: pseudonym }).where('decidedBy', 'in', addresses).execute()
  }
  if (names.length > 0)
    await db
      .updateTable('messageTemplateVersions')
      .set({ publishedBy: pseudonym })
      .where('publishedBy', 'in', names)
      .execute()
}
