import { notMeDays } from '#contract/not-me/not-me.ts'
import type { Db } from '#server/platform/database/database.ts'
import { issueToken } from '#server/platform/secrets/one-time-tokens.ts'
import type { System } from '#server/platform/system.ts'

/** Of the tokens in mails that tell the owner what was done with the account. */
export const notMePurpose = 'notMe'

/** The link of the button "This was not me" in a mail about the account. It undoes what was done from then on; default: from now on. */
export async function notMeLink(
  { config, now, since = now }: { config: System['config']; now: Date; since?: Date },
  db: Db,
  accountId: string,
): Promise<string> {
  const expiresAt = new Date(now.getTime() + notMeDays * 24 * 3_600_000)
  const data = { since: since.toISOString() }
  const token = await issueToken(db, { purpose: notMePurpose, subject: accountId, now, expiresAt, data })
  return `${config.baseUrl}/not-me/${token}`
}
