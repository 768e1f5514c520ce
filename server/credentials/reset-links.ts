import type { Db } from '#server/platform/database/database.ts'
import { revokeTokens } from '#server/platform/secrets/one-time-tokens.ts'
import { withdrawResetMails } from './passwords.repository.ts'

/** The purpose of reset tokens; their subject is the account. */
export const resetPurpose = 'passwordReset'

/** Revokes the reset links of an account, with the mails that wait to be sent. */
export async function revokeResetLinks(db: Db, accountId: string, now: Date): Promise<void> {
  await revokeTokens(db, { purpose: resetPurpose, subject: accountId }, now)
  await withdrawResetMails(db, accountId, now)
}
