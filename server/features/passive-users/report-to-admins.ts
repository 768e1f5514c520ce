import { type Kysely, sql } from 'kysely'
import { fallbackLanguage } from '#contract/languages.ts'
import { mailMessage } from '#server/features/email-templates/email-templates.ts'
import { type AuditEntry, writeAuditEvent } from '#server/platform/audit/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { DB } from '#server/platform/database/database-types.ts'
import { inTransaction } from '#server/platform/database/transactions.ts'
import { fullName, requestId, type StepContext } from './take-step.ts'

/** Sends the admins of each organisation one mail that lists its newly passive users, also those of a run that broke off. */
export async function reportToAdmins(db: Kysely<DB>, context: StepContext): Promise<void> {
  const organizations = await db
    .selectFrom('passiveReports')
    .innerJoin('organizations', 'organizations.organizationId', 'passiveReports.organizationId')
    .select(['organizations.organizationId', 'name'])
    .distinct()
    .execute()
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
  const reported = await db
    .deleteFrom('passiveReports')
    .where('organizationId', '=', organizationId)
    .returning('accountId')
    .execute()
  const passive = await listPassive(
    db,
    reported.map(({ accountId }) => accountId),
    organizationId,
  )
  if (passive.length === 0) return
  const users = passive.map(({ firstName, lastName, email, lastActive, elsewhere }) => ({
    name: fullName({ firstName, lastName }),
    email,
    // When someone was active concerns all their organisations.
    ...(elsewhere ? {} : { lastActive: lastActive?.toISOString() ?? null }),
  }))
  const events: AuditEntry[] = []
  for (const { accountId, email, firstName, preferredLanguage } of await listAdmins(db, organizationId)) {
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

interface PassivePerson {
  firstName: string | null
  lastName: string | null
  email: string
  lastActive: Date | null
  /** Belongs to another organisation, too. */
  elsewhere: boolean
}

/** Those of the accounts that nobody has reopened since. */
async function listPassive(db: Db, accountIds: string[], organizationId: string): Promise<PassivePerson[]> {
  const { rows } = await sql<PassivePerson>`
    select first_name as "firstName", last_name as "lastName", email, last_active as "lastActive",
      exists (select from memberships m where m.account_id = u.account_id and m.organization_id <> ${organizationId})
        as elsewhere
    from users u where account_id = any (${accountIds}::uuid[]) and passive_at is not null
    order by last_name, first_name, account_id`.execute(db)
  return rows
}

const listAdmins = (db: Db, organizationId: string) =>
  db
    .selectFrom('memberships')
    .innerJoin('users', 'users.accountId', 'memberships.accountId')
    .select(['users.accountId', 'users.email', 'users.firstName', 'preferredLanguage'])
    .where('organizationId', '=', organizationId)
    .where('userRole', '=', 'organizationAdmin')
    .where('pending', '=', false)
    .where('passiveAt', 'is', null)
    .orderBy('users.accountId')
    .execute()
