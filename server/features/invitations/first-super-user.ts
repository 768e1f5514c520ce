import * as z from 'zod/mini'
import { email as emailField } from '#contract/fields/fields.ts'
import { fallbackLanguage } from '#contract/languages.ts'
import { writeAuditEvent } from '#server/platform/audit/audit.ts'
import { inTransaction } from '#server/platform/database/transactions.ts'
import type { System } from '#server/platform/system.ts'
import { findAccountAt } from './account-at-address.repository.ts'
import { findAnySuperUser, inviteToPortal } from './first-super-user.repository.ts'
import { sendInvitations } from './send-invitations.ts'

/**
 * Invites BOOTSTRAP_EMAIL as the first super user, when the database has none. When several processes start at the same
 * time, only one of them invites. An expired invitation is sent again at the next start.
 */
export async function inviteFirstSuperUser(system: System, say: (line: string) => void): Promise<void> {
  const { config, db: pool, clock } = system
  if (!config.bootstrapEmail) return
  const read = z.safeParse(emailField, config.bootstrapEmail)
  if (!read.success) return say('Warning: BOOTSTRAP_EMAIL is not an address that can be invited.')
  const email = read.data
  const outcome = await inTransaction(pool, async (db) => {
    if (await findAnySuperUser(db)) return 'there is one' as const
    if (await findAccountAt(db, email)) return 'taken' as const
    const now = clock()
    const invitation = await inviteToPortal(db, email, now)
    if (!invitation) return 'invited already' as const
    await sendInvitations(system, db, [invitation], {
      organization: null,
      inviter: null,
      message: null,
      language: fallbackLanguage,
      now,
    })
    await writeAuditEvent(
      db,
      {
        name: 'inviteUser',
        target: { id: invitation.invitationId, label: email },
        ...(invitation.tokenVersion === 1 ? { after: { superUser: true } } : {}),
      },
      { requestId: 'start', now },
    )
    return 'invited' as const
  })
  if (outcome === 'taken')
    say(
      'Warning: the address in BOOTSTRAP_EMAIL has an account already; npm run admin -- create-super-user makes it a super user.',
    )
  if (outcome === 'invited' || outcome === 'invited already')
    say(
      config.smtpUrl
        ? 'The first super user has an invitation by mail, to the address in BOOTSTRAP_EMAIL.'
        : `The first super user has an invitation: ${config.baseUrl}/dev/outbox shows the mail with its link.`,
    )
}
