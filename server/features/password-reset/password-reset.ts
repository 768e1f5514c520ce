// The door of the room: what changes of passwords elsewhere need of it.
import { fallbackLanguage } from '#contract/languages.ts'
import { mailMessage } from '#server/features/email-templates/email-templates.ts'
import type { Db } from '#server/platform/database.ts'
import { revokeAll } from '#server/platform/one-time.ts'
import type { System } from '#server/platform/system.ts'
import { type PasswordOwner, setPassword, withdrawResetMails } from './password-reset.repository.ts'
import { resetPurpose } from './send-reset.ts'

/** Makes the reset links of an account useless: its password has been chosen by other means. */
export async function revokeResetLinks(db: Db, accountId: string, now: Date): Promise<void> {
  await revokeAll(db, { purpose: resetPurpose, subject: accountId }, now)
  await withdrawResetMails(db, accountId, now)
}

/**
 * Sets the password that its owner has chosen, where the account has one at all, and tells the owner by mail.
 *
 * @returns false where it does not (any more)
 */
export async function changeOwnPassword(
  { outbox, now }: { outbox: System['outbox']; now: Date },
  db: Db,
  { accountId, email, firstName, preferredLanguage }: PasswordOwner,
  passwordHash: string,
): Promise<boolean> {
  if (!(await setPassword(db, accountId, { passwordHash, now }))) return false
  await outbox.mail(
    db,
    mailMessage({
      template: 'password-changed',
      to: { address: email, accountId },
      language: preferredLanguage ?? fallbackLanguage,
      values: { firstName, at: now.toISOString() },
    }),
  )
  return true
}
