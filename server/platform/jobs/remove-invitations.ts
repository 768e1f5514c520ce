import { type Kysely, sql } from 'kysely'
import type { KeptFor } from '#contract/kept.ts'
import { writeAuditEvent } from '../audit/audit.ts'
import type { DB } from '../database/database-types.ts'

const batchSize = 200

/** Removes invitations that expired long ago without an answer, each with its event. */
export async function removeOldInvitations(
  db: Kysely<DB>,
  now: Date,
  { keepInvitations }: Pick<KeptFor, 'keepInvitations'>,
): Promise<void> {
  const before = new Date(now.getTime() - keepInvitations * 24 * 3600 * 1000)
  for (;;) {
    const removed = await db.transaction().execute(async (trx) => {
      const { rows } = await sql<{ invitationId: string; email: string; organizationId: string | null }>`
        delete from invitations where invitation_id = any (array(
          select invitation_id from invitations where expires_at < ${before} limit ${batchSize} for update skip locked))
        returning invitation_id, email, organization_id`.execute(trx)
      for (const { invitationId, email, organizationId } of rows) {
        const target = { id: invitationId, label: email }
        const organizationIds = organizationId ? [organizationId] : []
        await writeAuditEvent(
          trx,
          { name: 'expireInvite', target, organizationIds },
          { requestId: 'remove-expired', now },
        )
      }
      return rows.length
    })
    if (removed < batchSize) return
  }
}
