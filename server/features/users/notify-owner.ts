import { fallbackLanguage } from '#contract/languages.ts'
import type { StoredUser } from '#server/accounts/stored-user.repository.ts'
import { notMeLink } from '#server/credentials/not-me/not-me-link.ts'
import { mailMessage, type TemplateValues } from '#server/mails/mails.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { System } from '#server/platform/system.ts'

/** Notifies the owner of a change that could be used to take the account over, and of a role in the portal. */
export async function notifyOwner(
  context: Pick<System, 'config' | 'outbox'> & { now: Date },
  db: Db,
  { accountId, email, firstName, preferredLanguage, pending }: StoredUser,
  changed: TemplateValues['contact-changed']['changed'],
): Promise<void> {
  const { outbox, now } = context
  if (pending || changed.length === 0) return
  await outbox.mail(
    db,
    mailMessage({
      template: 'contact-changed',
      to: { address: email, accountId },
      language: preferredLanguage ?? fallbackLanguage,
      values: {
        firstName,
        changed,
        byAdmin: true,
        at: now.toISOString(),
        link: await notMeLink(context, db, accountId),
      },
    }),
  )
}
