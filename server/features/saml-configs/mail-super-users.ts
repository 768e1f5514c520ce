import { fallbackLanguage } from '#contract/languages.ts'
import { listSuperUsers } from '#server/accounts/super-users.repository.ts'
import { mailMessage, type TemplateValues } from '#server/mails/mails.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Outbox } from '#server/platform/messages/outbox.ts'

/** Mails every super user, in their language. */
export async function mailSuperUsers<Name extends 'certificate-ends' | 'sign-in-to-check'>(
  db: Db,
  outbox: Outbox,
  template: Name,
  values: Omit<TemplateValues[Name], 'firstName'>,
): Promise<void> {
  for (const { accountId, email, firstName, preferredLanguage } of await listSuperUsers(db))
    await outbox.mail(
      db,
      mailMessage({
        template,
        to: { address: email, accountId },
        language: preferredLanguage ?? fallbackLanguage,
        values: { ...values, firstName } as unknown as TemplateValues[Name],
      }),
    )
}
