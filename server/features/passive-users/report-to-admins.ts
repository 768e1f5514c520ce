import type { Kysely } from 'kysely'
import { fallbackLanguage } from '#contract/languages.ts'
import { listHolders } from '#server/accounts/holders.repository.ts'
import { mailMessage } from '#server/mails/mails.ts'
import { type AuditEntry, writeAuditEvent } from '#server/platform/audit/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { DB } from '#server/platform/database/database-types.ts'
import { inTransaction } from '#server/platform/database/transactions.ts'
import { listPassive, listUnreported, takeReports } from './passive-reports.repository.ts'
import { fullName, requestId, type StepContext } from './take-step.ts'

/** Sends those who help the people of each organisation one mail that lists its newly passive users, also those of a run that broke off. */
export async function reportToAdmins(db: Kysely<DB>, context: StepContext): Promise<void> {
  const organizations = await listUnreported(db)
  const failures: unknown[] = []
  for (const organization of organizations)
    await inTransaction(db, (trx) => report(context, trx, organization)).catch((error: unknown) => failures.push(error))
  // The others have been told; the retry of the job finds those that failed.
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} organisations could not be told`)
}

interface Organization {
  organizationId: string
  name: string
}

async function report({ outbox, now }: StepContext, db: Db, organization: Organization): Promise<void> {
  const { organizationId, name: organizationName } = organization
  // Another node that reports the same waits for this transaction, and then finds no rows.
  const reported = await takeReports(db, organizationId)
  const passive = await listPassive(db, reported, organizationId)
  if (passive.length === 0) return
  const users = passive.map(({ firstName, lastName, email, lastActive, elsewhere }) => ({
    name: fullName({ firstName, lastName }),
    email,
    // When someone was active concerns all their organisations.
    ...(elsewhere ? {} : { lastActive: lastActive?.toISOString() ?? null }),
  }))
  const events: AuditEntry[] = []
  const helpers = await listHolders(db, organizationId, ['readDetails', 'helpPeople'])
  for (const { accountId, email, firstName, preferredLanguage } of helpers) {
    await outbox.mail(
      db,
      mailMessage({
        template: 'notify-organization-admin',
        to: { address: email, accountId },
        language: preferredLanguage ?? fallbackLanguage,
        organizationId,
        values: { firstName, organizationName, users },
      }),
    )
    events.push({
      name: 'notifyInactiveUser',
      target: { id: accountId, label: email },
      after: { passiveUsers: users.map((user) => user.email).join(', ') },
      organizationIds: [organizationId],
    })
  }
  for (const event of events) await writeAuditEvent(db, event, { requestId, now })
}
