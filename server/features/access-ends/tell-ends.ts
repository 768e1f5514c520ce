import { fallbackLanguage } from '#contract/languages.ts'
import { mailMessage } from '#server/mails/mails.ts'
import type { AccessEndsOfOthers } from '#server/mails/templates/access-ends.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Outbox } from '#server/platform/messages/outbox.ts'
import type { Ending } from './ends.repository.ts'

/** Where something ends: an organisation, or without one the portal, by the name of its operator. */
export interface Place {
  organizationId?: string
  name: string
}

/** Somebody who can extend what ends for others. */
export type Extender = Pick<Ending, 'accountId' | 'email' | 'firstName' | 'preferredLanguage'>

const whatEnds = ({ endsOn, membership, roles, services }: Ending) => ({ endsOn, membership, roles, services })

/** Reminds people of what ends for themselves. */
export async function tellThemselves(outbox: Outbox, db: Db, place: Place, endings: readonly Ending[]): Promise<void> {
  for (const one of endings)
    if (one.canSignIn)
      await outbox.mail(
        db,
        mailMessage({
          template: 'access-ends',
          to: { address: one.email, accountId: one.accountId },
          language: one.preferredLanguage ?? fallbackLanguage,
          ...(place.organizationId && { organizationId: place.organizationId }),
          values: { firstName: one.firstName, organizationName: place.name, ...whatEnds(one) },
        }),
      )
}

/** Reminds somebody who can extend it of what ends for others. */
export async function tellExtender(
  outbox: Outbox,
  db: Db,
  { organizationId, name: organizationName }: Place,
  { accountId, email, firstName, preferredLanguage }: Extender,
  { endings, page }: { endings: readonly Ending[]; page: AccessEndsOfOthers['page'] },
): Promise<void> {
  const ofOthers = endings.filter((one) => one.accountId !== accountId)
  if (ofOthers.length === 0) return
  await outbox.mail(
    db,
    mailMessage({
      template: 'access-ends-of-others',
      to: { address: email, accountId },
      language: preferredLanguage ?? fallbackLanguage,
      ...(organizationId && page === 'user-administration' && { organizationId }),
      values: {
        firstName,
        organizationName,
        page,
        people: ofOthers.map((one) => ({
          ...{ accountId: one.accountId, email: one.email },
          name: [one.firstName, one.lastName].filter(Boolean).join(' ') || null,
          ...whatEnds(one),
        })),
      },
    }),
  )
}
