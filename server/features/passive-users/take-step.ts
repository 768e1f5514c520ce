import { fallbackLanguage } from '#contract/languages.ts'
import { listSuperUsers } from '#server/accounts/super-users.repository.ts'
import { mailMessage } from '#server/mails/mails.ts'
import { endAllSessions } from '#server/oidc/end-sessions.ts'
import { type AuditEntry, writeAuditEvent } from '#server/platform/audit/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Outbox } from '#server/platform/messages/outbox.ts'
import {
  type DuePerson,
  graceDays,
  listOrganizationsWithoutOtherAdmin,
  lockDuePerson,
  type Step,
} from './due-people.repository.ts'
import {
  addReports,
  forgetWarnings,
  lockPassiveUsers,
  rememberWarning,
  setPassive,
} from './passive-steps.repository.ts'

/** What a step needs besides its transaction. */
export interface StepContext {
  outbox: Outbox
  now: Date
}

/** Stands in the events of the job, which belong to no request and have no actor. */
export const requestId = 'job passive-users'

/**
 * Does what is due for one account: change, mails and events, in the caller's transaction.
 *
 * @returns undefined when nothing was due any more
 */
export async function takeStep(context: StepContext, db: Db, accountId: string): Promise<Step | undefined> {
  // One account at a time, on all nodes: of an organisation's last two admins, each would still see the other.
  await lockPassiveUsers(db)
  const person = await lockDuePerson(db, accountId, context.now)
  if (!person) return undefined
  const events = await steps[person.step](context, db, person)
  // Last, because the head of the audit chain stays locked until the commit.
  for (const event of events) await writeAuditEvent(db, event, { requestId, now: context.now })
  return person.step
}

type TakeStep = (context: StepContext, db: Db, person: DuePerson) => Promise<AuditEntry[]>

const steps: Record<Step, TakeStep> = {
  firstWarning: warn,
  lastWarning: warn,
  superUserWarning: warnSuperUsers,
  passive: makePassive,
}

const labelled = ({ accountId, email }: { accountId: string; email: string }) => ({ id: accountId, label: email })

async function warn({ outbox, now }: StepContext, db: Db, person: DuePerson): Promise<AuditEntry[]> {
  const { accountId, email, firstName, preferredLanguage, due, organizationIds } = person
  await rememberWarning(db, person, now)
  const becomesPassiveAt = due.toISOString()
  await outbox.mail(
    db,
    mailMessage({
      template: 'notify-last-active',
      to: { address: email, accountId },
      language: preferredLanguage ?? fallbackLanguage,
      values: { firstName, becomesPassiveAt },
      uselessAfter: due,
    }),
  )
  return [{ name: 'notifyInactiveUser', target: labelled(person), after: { becomesPassiveAt }, organizationIds }]
}

/** Tells super users that an organisation is about to lose its last admin, so that they can appoint another. */
async function warnSuperUsers({ outbox, now }: StepContext, db: Db, person: DuePerson): Promise<AuditEntry[]> {
  await rememberWarning(db, person, now)
  const organizationNames = await listOrganizationsWithoutOtherAdmin(db, person.accountId)
  const becomesPassiveAt = new Date(now.getTime() + graceDays * 24 * 3600_000).toISOString()
  const superUsers = await listSuperUsers(db)
  for (const { accountId, email, firstName, preferredLanguage } of superUsers)
    await outbox.mail(
      db,
      mailMessage({
        template: 'notify-last-admin',
        to: { address: email, accountId },
        language: preferredLanguage ?? fallbackLanguage,
        values: {
          firstName,
          admin: { name: fullName(person), email: person.email },
          organizationNames,
          becomesPassiveAt,
        },
      }),
    )
  const after = { email: person.email, organizations: organizationNames.join(', '), becomesPassiveAt }
  // Without organisations: customers must not see who operates the portal.
  return superUsers.map((superUser) => ({ name: 'notifyInactiveUser', target: labelled(superUser), after }))
}

async function makePassive({ now }: StepContext, db: Db, person: DuePerson): Promise<AuditEntry[]> {
  const { accountId, organizationIds } = person
  await setPassive(db, accountId, now)
  await endAllSessions(db, accountId)
  await forgetWarnings(db, accountId)
  await addReports(db, accountId)
  return [
    {
      name: 'updateUser',
      target: labelled(person),
      before: { passive: false },
      after: { passive: true },
      organizationIds,
    },
  ]
}

/** Someone who has not completed their details has no name. */
export const fullName = ({ firstName, lastName }: { firstName: string | null; lastName: string | null }) =>
  [firstName, lastName].filter((name) => name).join(' ') || null
