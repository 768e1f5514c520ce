import { fallbackLanguage } from '#contract/languages.ts'
import type { Db } from '#server/platform/database.ts'
import { rememberOnce } from '#server/platform/one-time.ts'
import type { Outbox } from '#server/platform/outbox.ts'
import { mailMessage } from '../email-templates/email-templates.ts'
import { listOrganizationNames, type Person } from './people.repository.ts'

const day = 24 * 3600_000

/**
 * Tells a person by mail why no sign-in works any more: the page says no more than after a wrong password (product.md,
 * section 4). Once a day at most, however often they try.
 */
export async function tellPassive(
  { outbox, now }: { outbox: Outbox; now: Date },
  db: Db,
  { accountId, email, firstName, preferredLanguage }: Omit<Person, 'passwordHash'>,
): Promise<void> {
  const today = Math.floor(now.getTime() / day)
  const expiresAt = new Date((today + 1) * day)
  const first = await rememberOnce(db, {
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
