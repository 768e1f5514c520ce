import type { Kysely } from 'kysely'
import { namedPortalRole } from '#contract/organization-roles/role-labels.ts'
import { rolePermissions, serviceAdminNeeds } from '#contract/organization-roles/role-permissions.ts'
import type { PortalRole } from '#contract/portal-roles.ts'
import { listHolders } from '#server/accounts/holders.repository.ts'
import { listSuperUsers } from '#server/accounts/super-users.repository.ts'
import type { Config } from '#server/config.ts'
import { endLapsedAccess } from '#server/oidc/logout/withdrawn-access.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { DB } from '#server/platform/database/database-types.ts'
import { inTransaction } from '#server/platform/database/transactions.ts'
import type { RecurringJob } from '#server/platform/jobs/run-job.ts'
import type { Outbox } from '#server/platform/messages/outbox.ts'
import { type Ending, listOrganizationsToRemind, takeReminders } from './ends.repository.ts'
import { type Extender, tellExtender, tellThemselves } from './tell-ends.ts'

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
  await inTransaction(db, (trx) => remindOfPortalRoles({ outbox, now: clock() }, trx, { name: companyName }))
  for (const organization of await listOrganizationsToRemind(db))
    await inTransaction(db, (trx) => remind({ outbox, now: clock() }, trx, organization))
}

/** Reminds people of the last day of their role in the portal, and the super users, who extend it. */
async function remindOfPortalRoles({ outbox, now }: Sending, db: Db, portal: { name: string }): Promise<void> {
  const endings = (await takeReminders(db, null, now)).map(({ roles, ...one }) => ({
    ...one,
    roles: roles.map(({ role }) => namedPortalRole(role as PortalRole)),
  }))
  if (endings.length === 0) return
  await tellThemselves(outbox, db, portal, endings)
  for (const one of await listSuperUsers(db)) await tellExtender(outbox, db, portal, one, { endings, page: 'users' })
}

interface Sending {
  outbox: Outbox
  now: Date
}

interface Organization {
  organizationId: string
  name: string
}

async function remind({ outbox, now }: Sending, db: Db, organization: Organization) {
  const { organizationId } = organization
  const endings = await takeReminders(db, organizationId, now)
  await tellThemselves(outbox, db, organization, endings)
  const admins = await listHolders(db, organizationId, rolePermissions)
  for (const { holder, endings: own } of await listExtenders(db, organizationId, endings, admins))
    await tellExtender(outbox, db, organization, holder, { endings: own, page: 'user-administration' })
  // Nobody extends the own membership or role, or those of an admin beyond the own; without another admin the operator does.
  const isAttended = ({ accountId, endsOn, membership, roles }: Ending) =>
    admins.some(
      (admin) =>
        (admin.accountId !== accountId || !(membership || roles.length > 0)) && (!admin.until || admin.until > endsOn),
    )
  const unattended = endings.filter((one) => !isAttended(one))
  for (const one of await listSuperUsers(db))
    await tellExtender(outbox, db, organization, one, { endings: unattended, page: 'users' })
}

type Part = Pick<Ending, 'membership' | 'roles' | 'services'>

/** What others than admins extend by their role. They are told of that part alone. */
const whoExtends: readonly { by: Parameters<typeof listHolders>[2]; part: (ending: Ending) => Part }[] = [
  { by: ['editPeople', 'assignServices'], part: ({ membership, services }) => ({ membership, services, roles: [] }) },
  {
    by: serviceAdminNeeds,
    part: ({ roles }) => ({
      membership: false,
      services: [],
      roles: roles.filter(({ role }) => role === 'serviceOwner'),
    }),
  },
]

/** Whom to tell of what: admins extend everything. */
async function listExtenders(db: Db, organizationId: string, endings: readonly Ending[], admins: readonly Extender[]) {
  const whole = (ending: Ending): Part => ending
  const told = new Map(admins.map((holder) => [holder.accountId, { holder, parts: [whole] }]))
  for (const { by, part } of whoExtends)
    for (const holder of await listHolders(db, organizationId, by)) {
      const { parts = [] } = told.get(holder.accountId) ?? {}
      told.set(holder.accountId, { holder, parts: [...parts, part] })
    }
  return [...told.values()].map(({ holder, parts }) => ({
    holder,
    endings: endings.map((one) => ({ ...one, ...together(parts.map((part) => part(one))) })).filter(isSomething),
  }))
}

const longest = <Item>(lists: readonly (readonly Item[])[]) =>
  lists.reduce((most, list) => (list.length > most.length ? list : most), [])

// One part of each kind is the whole of it, or nothing.
const together = (parts: readonly Part[]) => ({
  membership: parts.some(({ membership }) => membership),
  roles: [...longest(parts.map(({ roles }) => roles))],
  services: [...longest(parts.map(({ services }) => services))],
})

const isSomething = ({ membership, roles, services }: Part) => membership || roles.length + services.length > 0
