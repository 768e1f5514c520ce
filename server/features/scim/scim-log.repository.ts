import { sql } from 'kysely'
import type { ScimDeed, ScimLogRow } from '#contract/scim/scim.ts'
import type { Db } from '#server/platform/database/database.ts'
import { newId } from '#server/platform/ids.ts'
import type { Note } from './protocol/value.ts'

export interface LogEntry {
  organizationId: string
  directory: string
  method: ScimLogRow['method']
  scimUserId: string | null
  about: string | null
  status: number
  problem: string | null
  deeds: readonly ScimDeed[]
  notes: readonly Note[]
}

const maxNotes = 50

export const insertLogEntry = (db: Db, { notes, deeds, about, ...entry }: LogEntry, now: Date) =>
  db
    .insertInto('scimLog')
    .values({
      logId: newId(),
      ...entry,
      about: about?.slice(0, 254) ?? null,
      deeds: [...deeds],
      notes: JSON.stringify(notes.slice(0, maxNotes)),
      createdAt: now,
    })
    .execute()

/** A page of the log, the newest first. Whom another try could make a member, or invite, has an id in `retry`. */
export async function listLog(
  db: Db,
  organizationId: string,
  { offset, limit, now }: { offset: number; limit: number; now: Date },
): Promise<{ total: number; rows: ScimLogRow[] }> {
  const counted = await db
    .selectFrom('scimLog')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('organizationId', '=', organizationId)
    .executeTakeFirstOrThrow()
  const { rows } = await sql<Omit<ScimLogRow, 'at'> & { createdAt: Date }>`
    select l.log_id as "logId", l.created_at as "createdAt", l.directory, l.method, l.about, l.status, l.problem, l.deeds, l.notes,
      case when s.active and not exists (
          select from memberships m where m.account_id = s.account_id and m.organization_id = s.organization_id)
        and not exists (
          select from invitations i where i.organization_id = s.organization_id and i.email = s.email and i.expires_at > ${now})
        then s.scim_user_id end as retry
    from scim_log l left join scim_users s using (scim_user_id)
    where l.organization_id = ${organizationId}
    order by l.log_id desc offset ${offset} limit ${limit}`.execute(db)
  return {
    total: Number(counted.total),
    rows: rows.map(({ createdAt, ...row }) => ({ ...row, at: createdAt.toISOString() })),
  }
}
