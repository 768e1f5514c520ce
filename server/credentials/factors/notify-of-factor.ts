import { fallbackLanguage } from '#contract/languages.ts'
import type { Language } from '#contract/roles.ts'
import { notMeLink } from '#server/credentials/not-me/not-me-link.ts'
import { mailMessage } from '#server/mails/mails.ts'
import type { FactorChange } from '#server/mails/templates/factor-changed.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { System } from '#server/platform/system.ts'

interface Owner {
  accountId: string
  email: string
  firstName: string | null
  preferredLanguage: Language | null
}

/** Mails the owner what has happened to a second factor of the account. */
export const notifyOfFactor = async (
  { outbox, config, now }: Pick<System, 'outbox' | 'config'> & { now: Date },
  db: Db,
  { accountId, email, firstName, preferredLanguage }: Owner,
  change: FactorChange,
) =>
  outbox.mail(
    db,
    mailMessage({
      template: 'factor-changed',
      to: { address: email, accountId },
      language: preferredLanguage ?? fallbackLanguage,
      values: { firstName, change, at: now.toISOString(), link: await notMeLink({ config, now }, db, accountId) },
    }),
  )
