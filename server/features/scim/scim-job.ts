import type { Kysely } from 'kysely'
import { fallbackLanguage } from '#contract/languages.ts'
import { rolePermissions } from '#contract/organization-roles/role-permissions.ts'
import { scimTokenWarnings } from '#contract/scim/scim.ts'
import { listHolders } from '#server/accounts/holders.repository.ts'
import { listSuperUsers } from '#server/accounts/super-users.repository.ts'
import { mailMessage } from '#server/mails/mails.ts'
import { type AuditEntry, writeAuditEvent } from '#server/platform/audit/audit.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { DB } from '#server/platform/database/database-types.ts'
import { inTransaction } from '#server/platform/database/transactions.ts'
import type { RecurringJob } from '#server/platform/jobs/run-job.ts'
import { createLimits } from '#server/platform/limits/limits.ts'
import type { Outbox } from '#server/platform/messages/outbox.ts'
import type { System } from '#server/platform/system.ts'
import { admitPerson } from './admit-person.ts'
import { takeInvitation } from './change-resource.ts'
import { listWaiting, lockScimUser } from './scim-users.repository.ts'
import { tokenStands } from './token-power.repository.ts'
import { type EndingToken, listEndingTokens, rememberWarning } from './tokens.repository.ts'

interface Options extends Pick<System, 'keys' | 'outbox' | 'config'> {
  db: Kysely<DB>
  clock: Clock
}

const dayMs = 86_400_000

/**
 * Mails the admins of an organisation 30, 7 and 1 days before the token of its directory ends (the super users, where it has
 * none), and sends the invitations that were too many for an hour.
 */
export const createScimJob = (options: Options): RecurringJob => ({
  name: 'scim',
  cron: '37 * * * *',
  run: async () => {
    const { db, outbox, clock } = options
    const now = clock()
    for (const ending of await listEndingTokens(db, now, Math.max(...scimTokenWarnings)))
      await inTransaction(db, (trx) => warn(trx, { ending, outbox, now }))
    await sendWaiting(options, now)
  },
})

async function sendWaiting({ db, ...system }: Options, now: Date): Promise<void> {
  const limits = createLimits(system.config.limits)
  const tired = new Set<string>()
  for (const person of await listWaiting(db)) {
    if (tired.has(person.organizationId)) continue
    if (!(await takeInvitation({ db, limits, now }, person))) {
      // Until the next hour.
      tired.add(person.organizationId)
      continue
    }
    await inTransaction(db, async (trx) => {
      const events: AuditEntry[] = []
      const audit = (entry: AuditEntry) => void events.push(entry)
      const user = await lockScimUser(trx, person)
      if (!user?.waits || !user.active) return
      // The right may have gone since the list was read.
      if (user.waitsFor !== null && !(await tokenStands(trx, user.waitsFor))) return
      await admitPerson({ db: trx, audit, system, now, deeds: [], notes: [], stands: true, mayInvite: true }, user)
      for (const event of events) await writeAuditEvent(trx, event, { requestId: 'scim', now })
    })
  }
}

async function warn(db: Db, { ending, outbox, now }: { ending: EndingToken; outbox: Outbox; now: Date }) {
  const { tokenId, name, organizationId, organizationName, expiresAt } = ending
  const daysLeft = (expiresAt.getTime() - now.getTime()) / dayMs
  // After missed nights only the latest warning counts.
  const daysBefore = scimTokenWarnings.find((days) => daysLeft <= days)
  if (daysBefore === undefined || !(await rememberWarning(db, tokenId, daysBefore))) return
  const admins = await listHolders(db, organizationId, rolePermissions)
  const told = admins.length > 0 ? admins : await listSuperUsers(db)
  for (const { accountId, email, firstName, preferredLanguage } of told)
    await outbox.mail(
      db,
      mailMessage({
        template: 'scim-token-ends',
        to: { address: email, accountId },
        language: preferredLanguage ?? fallbackLanguage,
        ...(admins.length > 0 && { organizationId }),
        values: { firstName, organizationId, organizationName, name, expiresAt: expiresAt.toISOString() },
      }),
    )
}
