import type { bulkInvitations, ImportedRow } from '#contract/bulk-invitations.ts'
import { type Actor, can } from '#contract/permissions.ts'
import { found, Problem } from '#server/platform/problem.ts'
import type { Handlers } from '#server/platform/request-context.ts'
import { addPeople } from './add-people.ts'
import { findOrganization } from './invitations.repository.ts'
import { inviterOf } from './invite.ts'
import { type PlannedRow, planImport } from './plan-import.ts'

export const bulkInvitationsHandlers: Handlers<typeof bulkInvitations> = {
  dryRun: async ({ db, input, actor }) => {
    found(await findOrganization(db, input.organizationId))
    return { rows: tellable(actor, await planImport(db, input)) }
  },
  run: async (context) => {
    const { db, input, now, actor, limits } = context
    const organization = found(await findOrganization(db, input.organizationId))
    // Counted by what would be written, and before anything is: a limit counts outside the transaction.
    const people = toWrite(await planImport(db, input))
    if (people.length > 0)
      await limits
        .take(db, [{ name: 'importedInvitation', key: actor.accountId, times: people.length }], now)
        .catch(sayWhatOf)
    return context.transact(async (trx, audit) => {
      const plan = await planImport(trx, { ...input, lock: true })
      const addition = { organization, message: null, now, ...inviterOf(context) }
      const joined = await addPeople(context, trx, audit, toWrite(plan), addition)
      // Somebody else may have invited the same person a moment ago: what was done counts, not what was planned.
      const done = plan.map((row) => (row.person ? { ...row, outcome: joined.get(row.email) ?? row.outcome } : row))
      return { rows: tellable(actor, done) }
    })
  },
}

/** Of all limits, it is the one of this list: whoever is told so knows that nobody in it was invited. */
function sayWhatOf(error: unknown): never {
  if (!(error instanceof Problem && error.status === 429)) throw error
  throw new Problem(429, 'tooManyImported', { ...(error.retryAfter && { retryAfter: error.retryAfter }) })
}

const toWrite = (rows: readonly PlannedRow[]) => rows.flatMap(({ person }) => (person ? [person] : []))

/** Who has an account in some other organisation is not for everybody to find out. */
const tellable = (actor: Actor, rows: readonly PlannedRow[]): ImportedRow[] =>
  rows.map(({ person: _, outcome, ...row }) => ({
    ...row,
    outcome: outcome === 'added' && !can(actor, 'administerEverything') ? 'invited' : outcome,
  }))
