import { fallbackLanguage } from '#contract/languages.ts'
import type { Language } from '#contract/roles.ts'
import { mailMessage } from '#server/mails/mails.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { System } from '#server/platform/system.ts'
import { notMeLink } from './not-me/not-me-link.ts'
import { setPassword } from './passwords.repository.ts'

/** Whose password it is. */
export interface PasswordOwner {
  accountId: string
  email: string
  firstName: string | null
  preferredLanguage: Language | null
}

/**
 * Sets the password that the owner has chosen, and notifies the owner by mail.
 *
 * @returns false if the account's login method has no password (any more)
 */
export async function changeOwnPassword(
  context: Pick<System, 'config' | 'outbox'> & { now: Date },
  db: Db,
  { accountId, email, firstName, preferredLanguage }: PasswordOwner,
  passwordHash: string,
): Promise<boolean> {
  const { outbox, now } = context
  if (!(await setPassword(db, accountId, { passwordHash, now }))) return false
  await outbox.mail(
    db,
    mailMessage({
      template: 'password-changed',
      to: { address: email, accountId },
      language: preferredLanguage ?? fallbackLanguage,
      values: { firstName, at: now.toISOString(), link: await notMeLink(context, db, accountId) },
    }),
  )
  return true
}
