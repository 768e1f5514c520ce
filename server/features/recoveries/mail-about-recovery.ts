import { fallbackLanguage } from '#contract/languages.ts'
import type { Language } from '#contract/roles.ts'
import { notMeLink } from '#server/credentials/not-me/not-me-link.ts'
import { mailMessage } from '#server/mails/mails.ts'
import type { RecoveryMail } from '#server/mails/templates/recovery.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { System } from '#server/platform/system.ts'

interface Addressee {
  accountId: string
  email: string
  firstName: string | null
  preferredLanguage: Language | null
}

/** Tells the owner what somebody asked for, or what was done. The button stops what has not happened. */
export const mailAboutRecovery = async (
  context: Pick<System, 'config' | 'outbox'> & { now: Date },
  db: Db,
  { accountId, email, firstName, preferredLanguage }: Addressee,
  what: Pick<RecoveryMail, 'what' | 'reason' | 'at'>,
): Promise<unknown> =>
  context.outbox.mail(
    db,
    mailMessage({
      template: 'recovery',
      to: { address: email, accountId },
      language: preferredLanguage ?? fallbackLanguage,
      values: { firstName, ...what, link: await notMeLink(context, db, accountId) },
    }),
  )
