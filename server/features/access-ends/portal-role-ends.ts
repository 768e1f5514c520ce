import { fallbackLanguage } from '#contract/languages.ts'
import { listSuperUsers } from '#server/accounts/super-users.repository.ts'
import { mailMessage } from '#server/mails/mails.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Outbox } from '#server/platform/messages/outbox.ts'
import { type PortalRoleEnding, takePortalRoleReminders } from './portal-role-ends.repository.ts'

/** Reminds people of the last day of their role in the portal, and the super users, who extend it. */
export async function remindOfPortalRoles(
  { outbox, companyName }: { outbox: Outbox; companyName: string },
  db: Db,
): Promise<void> {
  const endings = await takePortalRoleReminders(db)
  if (endings.length === 0) return
  const what = ({ endsOn, portalRole }: PortalRoleEnding) => ({
    endsOn,
    portalRole,
    membership: false,
    role: false,
    services: [],
  })
  for (const one of endings)
    if (one.canSignIn)
      await outbox.mail(
        db,
        mailMessage({
          template: 'access-ends',
          to: { address: one.email, accountId: one.accountId },
          language: one.preferredLanguage ?? fallbackLanguage,
          values: { firstName: one.firstName, organizationName: companyName, ...what(one) },
        }),
      )
  for (const { accountId, email, firstName, preferredLanguage } of await listSuperUsers(db))
    await outbox.mail(
      db,
      mailMessage({
        template: 'access-ends-of-others',
        to: { address: email, accountId },
        language: preferredLanguage ?? fallbackLanguage,
        values: {
          firstName,
          organizationName: companyName,
          page: 'users',
          people: endings.map((one) => ({
            ...{ accountId: one.accountId, email: one.email },
            name: [one.firstName, one.lastName].filter(Boolean).join(' ') || null,
            ...what(one),
          })),
        },
      }),
    )
}
