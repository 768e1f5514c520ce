import { fallbackLanguage } from '#contract/languages.ts'
import { mailMessage } from '#server/mails/mails.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Outbox } from '#server/platform/messages/outbox.ts'
import { recordOnce } from '#server/platform/secrets/one-time-tokens.ts'
import { listOrganizationNames, type Person } from './people.repository.ts'

const day = 24 * 3600_000

/**
 * Tells a passive person by mail why sign-in fails: the page shows the same error as for a wrong password
 * (product-rules 4.6). At most once a day.
 */
export async function notifyPassiveUser(
  { outbox, now }: { outbox: Outbox; now: Date },
  db: Db,
  { accountId, email, firstName, preferredLanguage }: Omit<Person, 'passwordHash'>,
): Promise<void> {
  const today = Math.floor(now.getTime() / day)
  const expiresAt = new Date((today + 1) * day)
  const first = await recordOnce(db, {
    purpose: 'toldPassive',
    subject: accountId,
    token: `${accountId} ${today}`,
    now,
    expiresAt,
  })
  if (!first) return
  await outbox.mail(
    db,
    mailMessage({
      template: 'refused-passive',
      to: { address: email, accountId },
      language: preferredLanguage ?? fallbackLanguage,
      values: { firstName, organizationNames: await listOrganizationNames(db, accountId), at: now.toISOString() },
    }),
  )
}
