import type { Kysely } from 'kysely'
import { fallbackLanguage } from '#contract/languages.ts'
import { rolePermissions } from '#contract/organization-roles/role-permissions.ts'
import { listHolders } from '#server/accounts/holders.repository.ts'
import { listSuperUsers } from '#server/accounts/super-users.repository.ts'
import type { Config } from '#server/config.ts'
import { mailMessage } from '#server/mails/mails.ts'
import { endLapsedAccess } from '#server/oidc/logout/withdrawn-access.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { DB } from '#server/platform/database/database-types.ts'
import { inTransaction } from '#server/platform/database/transactions.ts'
import type { RecurringJob } from '#server/platform/jobs/run-job.ts'
import type { Outbox } from '#server/platform/messages/outbox.ts'
import { type Ending, listOrganizationsToRemind, takeReminders } from './ends.repository.ts'
import { remindOfPortalRoles } from './portal-role-ends.ts'

interface AccessEndsOptions {
  db: Kysely<DB>
  outbox: Outbox
  clock: Clock
  config: Pick<Config, 'companyName'>
}

/**
 * The job of what ends with a day. Nobody keeps access because it did not run: queries ask for the day themselves. It tells
 * services that somebody has lost them, and reminds people before.
 */
export const createAccessEndsJob = (options: AccessEndsOptions): RecurringJob => ({
  name: 'access-ends',
  // Midnight in Sweden is 22 or 23 UTC.
  cron: '1 * * * *',
  run: () => runAccessEnds(options),
})

async function runAccessEnds({ db, outbox, clock, config: { companyName } }: AccessEndsOptions): Promise<void> {
  await inTransaction(db, endLapsedAccess)
  await inTransaction(db, (trx) => remindOfPortalRoles({ outbox, companyName }, trx))
  for (const organization of await listOrganizationsToRemind(db))
    await inTransaction(db, (trx) => remind({ outbox, now: clock() }, trx, organization))
}

interface Organization {
  organizationId: string
  name: string
}

async function remind({ outbox, now }: { outbox: Outbox; now: Date }, db: Db, organization: Organization) {
  const { organizationId, name: organizationName } = organization
  const endings = await takeReminders(db, organizationId, now)
  for (const { accountId, email, firstName, preferredLanguage, canSignIn, ...ending } of endings)
    if (canSignIn)
      await outbox.mail(
        db,
        mailMessage({
          template: 'access-ends',
          to: { address: email, accountId },
          language: preferredLanguage ?? fallbackLanguage,
          organizationId,
          values: { firstName, organizationName, ...whatEnds(ending) },
        }),
      )
  const extenders = await listHolders(db, organizationId, ['editPeople', 'assignServices'])
  const admins = await listHolders(db, organizationId, rolePermissions)
  // Nobody extends the own membership or role, or those of an admin beyond the own; without another admin the operator does.
  const isAttended = ({ accountId, endsOn, membership, role }: Ending) =>
    admins.some(
      (admin) => (admin.accountId !== accountId || !(membership || role)) && (!admin.until || admin.until > endsOn),
    )
  const unattended = endings.filter((one) => !isAttended(one))
  const told = [
    ...extenders.map((admin) => ({ admin, about: endings, page: 'user-administration' as const })),
    ...(await listSuperUsers(db)).map((admin) => ({ admin, about: unattended, page: 'users' as const })),
  ]
  for (const { admin, about, page } of told) {
    const people = about.filter(({ accountId }) => accountId !== admin.accountId)
    if (people.length === 0) continue
    await outbox.mail(
      db,
      mailMessage({
        template: 'access-ends-of-others',
        to: { address: admin.email, accountId: admin.accountId },
        language: admin.preferredLanguage ?? fallbackLanguage,
        ...(page === 'user-administration' && { organizationId }),
        values: {
          firstName: admin.firstName,
          organizationName,
          page,
          people: people.map((one) => ({
            ...{ accountId: one.accountId, email: one.email },
            name: [one.firstName, one.lastName].filter(Boolean).join(' ') || null,
            ...whatEnds(one),
          })),
        },
      }),
    )
  }
}

const whatEnds = ({
  endsOn,
  membership,
  role,
  services,
}: Pick<Ending, 'endsOn' | 'membership' | 'role' | 'services'>) => ({
  ...{ endsOn, membership, role, services },
})
