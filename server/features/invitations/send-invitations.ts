import { invitationDays } from '#contract/invitations.ts'
import type { Language } from '#contract/roles.ts'
import { mailMessage } from '#server/features/email-templates/email-templates.ts'
import type { Db } from '#server/platform/database.ts'
import type { System } from '#server/platform/system.ts'
import { mailedLink } from './invitation-tokens.ts'
import { type Invitee, noteMails, saveInvitations } from './invitations.repository.ts'

/** Who invites, into what, and in which words. */
export interface Invitation {
  /** Null for the portal itself. */
  organization: { organizationId: string; name: string } | null
  /** Null for the portal itself. */
  inviter: { accountId: string; name: string } | null
  message: string | null
  /** Of those who have not said which they prefer. */
  language: Language
  now: Date
}

/** What is sent with. */
export type Post = Pick<System, 'config' | 'keys' | 'outbox'>

/** Gives each of these pending people an invitation and the mail with its link, in place of earlier ones. */
export async function sendInvitations(
  post: Post,
  db: Db,
  people: readonly (Invitee & { preferredLanguage: Language | null })[],
  { organization, inviter, message, language, now }: Invitation,
): Promise<{ expiresAt: Date }> {
  const expiresAt = new Date(now.getTime() + invitationDays * 24 * 60 * 60 * 1000)
  if (people.length === 0) return { expiresAt }
  const languages = new Map(people.map((person) => [person.accountId, person.preferredLanguage]))
  const saved = await saveInvitations(db, people, {
    organizationId: organization?.organizationId ?? null,
    message,
    invitedBy: inviter?.accountId ?? null,
    now,
    expiresAt,
  })
  const mails = []
  for (const { accountId, email, ...invitation } of saved) {
    const outboxId = await post.outbox.mail(
      db,
      mailMessage({
        template: 'user-invite',
        to: { address: email, accountId },
        language: languages.get(accountId) ?? language,
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
  await noteMails(db, mails)
  return { expiresAt }
}
