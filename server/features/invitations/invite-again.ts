import type { AuditEntry } from '#server/platform/audit/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { insertInvitations } from './invitations.repository.ts'
import { listAsInvitees } from './pending-members.repository.ts'
import { expiryOf } from './send-invitations.ts'

interface Again {
  accountId: string
  actor: { id: string; label: string }
  /** The organisation that the owner of the address has just answered. */
  except: string | null
  now: Date
}

/** Makes invitations of the memberships of an account that ends: the owner of its address decides about each. */
export async function inviteAgain(
  db: Db,
  audit: (entry: AuditEntry) => void,
  { accountId, actor, except, now }: Again,
): Promise<void> {
  const places = await listAsInvitees(db, accountId)
  const expiresAt = expiryOf(now)
  for (const place of places.filter((one) => one.organizationId !== except)) {
    const { organizationId, organizationName, email } = place
    const [added] = await insertInvitations(db, [place], {
      organizationId,
      message: null,
      invitedBy: null,
      promisedBy: null,
      now,
      expiresAt,
    })
    if (added)
      audit({
        name: 'inviteUser',
        actor,
        target: { id: added.invitationId, label: email },
        organizationIds: [organizationId],
        after: { organization: organizationName, expiresAt },
      })
  }
}
