import { invitationDays } from '#contract/invitations/invitations.ts'
import type { Language } from '#contract/roles.ts'
import { mailMessage } from '#server/mails/mails.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { System } from '#server/platform/system.ts'
import { mailedLink } from './invitation-tokens.ts'
import { type SendableInvitation, setInvitationMails } from './invitations.repository.ts'

/** The inviter, the organisation and the message of invitations. */
export interface Invitation {
  /** Null for the portal itself. */
  organization: { organizationId: string; name: string } | null
  /** Null for the portal itself; the name, for the operator. */
  inviter: { accountId: string; name: string | null } | null
  message: string | null
  /** The inviter's language. Using the invitee's would reveal that the address has an account. */
  language: Language
  now: Date
}

/** What sending invitations needs. */
export type SendContext = Pick<System, 'config' | 'keys' | 'outbox'>

/** When an invitation that is sent now expires. */
export const expiryOf = (now: Date) => new Date(now.getTime() + invitationDays * 24 * 60 * 60 * 1000)

/** Mails each invitee their link. The mail is the same whether or not the address has an account. */
export async function sendInvitations(
  post: SendContext,
  db: Db,
  saved: readonly SendableInvitation[],
  { organization, inviter, message, language, now }: Invitation,
): Promise<void> {
  const expiresAt = expiryOf(now)
  const mails = []
  for (const { email, ...invitation } of saved) {
    const outboxId = await post.outbox.mail(
      db,
      mailMessage({
        template: 'user-invite',
        to: { address: email },
        language,
        organizationId: organization?.organizationId ?? null,
        values: {
          organizationName: organization?.name ?? null,
          inviterName: inviter?.name ?? null,
          message,
          link: mailedLink(post, invitation),
          expiresAt: expiresAt.toISOString(),
        },
        uselessAfter: expiresAt,
      }),
    )
    mails.push({ invitationId: invitation.invitationId, outboxId })
  }
  if (mails.length > 0) await setInvitationMails(db, mails)
}
