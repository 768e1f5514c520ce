// The public interface of this room, for password changes in other rooms.
import { fallbackLanguage } from '#contract/languages.ts'
import { mailMessage } from '#server/features/email-templates/email-templates.ts'
import type { Db } from '#server/platform/database/database.ts'
import { revokeTokens } from '#server/platform/secrets/one-time-tokens.ts'
import type { System } from '#server/platform/system.ts'
import { type PasswordOwner, setPassword, withdrawResetMails } from './password-reset.repository.ts'
import { resetPurpose } from './send-reset.ts'

/** Revokes the reset links of an account whose password was changed in another way. */
export async function revokeResetLinks(db: Db, accountId: string, now: Date): Promise<void> {
  await revokeTokens(db, { purpose: resetPurpose, subject: accountId }, now)
  await withdrawResetMails(db, accountId, now)
}

/**
 * Sets the password that the owner has chosen, and notifies the owner by mail.
 *
 * @returns false if the account's login method has no password (any more)
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
