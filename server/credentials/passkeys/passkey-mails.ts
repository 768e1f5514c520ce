import { fallbackLanguage } from '#contract/languages.ts'
import type { Language } from '#contract/roles.ts'
import { notMeLink } from '#server/credentials/not-me/not-me-link.ts'
import { mailMessage } from '#server/mails/mails.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { System } from '#server/platform/system.ts'

interface Told {
  what: 'added' | 'removed' | 'stopped'
  /** Of the key. */
  name: string
  person: { accountId: string; email: string; firstName: string | null; preferredLanguage: Language | null }
}

/** Tells a person by mail what happened to one of their keys. */
export const tellOfPasskey = async (
  { outbox, config, now }: Pick<System, 'outbox' | 'config'> & { now: Date },
  db: Db,
  { what, name, person }: Told,
): Promise<unknown> =>
  outbox.mail(
    db,
    mailMessage({
      template: 'passkey-changed',
      to: { address: person.email, accountId: person.accountId },
      language: person.preferredLanguage ?? fallbackLanguage,
      values: {
        firstName: person.firstName,
        what,
        name,
        at: now.toISOString(),
        link: await notMeLink({ config, now }, db, person.accountId),
      },
    }),
  )
