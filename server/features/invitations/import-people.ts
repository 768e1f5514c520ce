import type { Actor } from '#contract/actor.ts'
import type { bulkInvitations, ImportedRow } from '#contract/invitations/bulk-invitations.ts'
import { neededToGive, rolePermissions } from '#contract/organization-roles/role-permissions.ts'
import { refuseMoreThanOwn } from '#server/accounts/own-permissions.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Handlers, RequestContext } from '#server/platform/http/request-context.ts'
import { found, Problem } from '#server/platform/problem.ts'
import { findOrganization } from './invitations.repository.ts'
import { inviterOf } from './invite.ts'
import { invitePeople, type NewInvitee } from './invite-people.ts'
import { namesGroups, type PlannedRow, planImport } from './plan-import.ts'

type Input = RequestContext<typeof bulkInvitations.run>['input']

export const bulkInvitationsHandlers: Handlers<typeof bulkInvitations> = {
  dryRun: async ({ db, actor, input }) => {
    found(await findOrganization(db, input.organizationId))
    const plan = await planImport(db, input)
    await refusePromises(db, actor, input, validPeople(plan))
    return { rows: plan.map(toImportedRow) }
  },
  run: async (context) => {
    const { db, input, now, actor, limits } = context
    const organization = found(await findOrganization(db, input.organizationId))
    // Count the people to invite before the transaction, because limits are counted outside it.
    const people = validPeople(await planImport(db, input))
    context.requireFreshProof(people.some(isAdmin))
    if (people.length > 0)
      await limits
        .take(db, [{ name: 'importedInvitation', key: actor.accountId, times: people.length }], now)
        .catch(rethrowAsImportLimit)
    return context.transact(async (trx, audit) => {
      const plan = await planImport(trx, { ...input, lock: true })
      const invitation = {
        organization,
        message: null,
        guest: input.guest,
        chosen: input.language,
        now,
        ...inviterOf(context, organization.organizationId, input.language),
      }
      await refusePromises(trx, actor, input, validPeople(plan))
      const invited = await invitePeople(context, trx, audit, validPeople(plan), invitation)
      // Another admin may have invited the same person since the plan: report what was done, not what was planned.
      const done = plan.map((row) =>
        row.person && !invited.has(row.email) ? { ...row, outcome: 'alreadyMember' as const } : row,
      )
      return { rows: done.map(toImportedRow) }
    })
  },
}

/** Replaces a limit's error with one that says that no one in the list was invited. */
function rethrowAsImportLimit(error: unknown): never {
  if (!(error instanceof Problem && error.status === 429)) throw error
  throw new Problem(429, 'tooManyImported', { ...(error.retryAfter && { retryAfter: error.retryAfter }) })
}

const validPeople = (rows: readonly PlannedRow[]) => rows.flatMap(({ person }) => (person ? [person] : []))

/**
 * Who invites promises no more than they could give. Whoever may not see the groups learns no name of one, either: the answer is
 * the same whether the list names one that there is.
 *
 * @throws Problem 403 `moreThanOwn`, and nobody is invited
 */
async function refusePromises(db: Db, actor: Actor, { organizationId, rows }: Input, people: readonly NewInvitee[]) {
  const permissions = rows.some(namesGroups) ? rolePermissions : neededToGive(people)
  await refuseMoreThanOwn(db, actor, { organizationId, permissions })
}

const isAdmin = ({ userRole, services }: ReturnType<typeof validPeople>[number]) =>
  userRole === 'organizationAdmin' || services.some((one) => one.userRole === 'serviceAdmin')

const toImportedRow = ({ person: _, ...row }: PlannedRow): ImportedRow => row
