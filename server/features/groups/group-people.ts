import type { Group, groups } from '#contract/groups/groups.ts'
import type { MessageKey } from '#contract/message-key.ts'
import { can } from '#contract/permissions.ts'
import type { BulkRow } from '#contract/users/bulk-users.ts'
import { putInGroup, takeFromGroup } from '#server/accounts/groups.repository.ts'
import { findScopedUntil } from '#server/accounts/own-permissions.repository.ts'
import { findMember } from '#server/accounts/roles.repository.ts'
import { inWholeValues } from '#server/platform/audit/long-lists.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { found, Problem } from '#server/platform/problem.ts'
import { auditRemoved, groupAudit } from './group-audit.ts'
import { findPeople, promiseGroup, withdrawGroup } from './group-people.repository.ts'

type Person = Awaited<ReturnType<typeof findPeople>>[number]

/** Puts people in a group by hand, with events that name them. The caller has locked the group. */
export async function putPeople(
  { db, input, actor, audit }: RequestContext<typeof groups.put>,
  group: Group,
): Promise<{ rows: BulkRow[] }> {
  const { accountIds, dryRun, ...days } = input
  const { groupId, organizationId } = group
  const people = await findPeople(db, group, accountIds)
  const hasDays = days.validFrom !== undefined || days.validUntil !== undefined
  const concerned = people.filter(({ isIn }) => !isIn || hasDays)
  if (!dryRun && concerned.length > 0) {
    const [members, invited] = split(concerned)
    await putInGroup(db, { groupId, organizationId, source: 'hand' }, members, days)
    await promiseGroup(db, { groupId, organizationId, promisedBy: actor.accountId }, invited, days)
    for (const peopleAdded of inWholeValues(concerned.map(emailOf))) {
      const after = { peopleAdded, validFrom: days.validFrom, validUntil: days.validUntil }
      audit({ name: 'updateGroupMembers', ...groupAudit(group), after })
    }
  }
  return { rows: outcomesOf(accountIds, people, concerned, 'bulkInGroup') }
}

/**
 * Puts a member in a group by hand, by address. The admin of the group does not put in themselves, and nobody for longer than
 * they are its admin.
 *
 * @throws Problem 403 `ownAccount`, `moreThanOwn` or `longerThanOwn`, 409 `alreadyInGroup`, 404 for somebody who is no member
 */
export async function putByEmail(
  { db, input, actor, audit }: RequestContext<typeof groups.putByEmail>,
  group: Group,
): Promise<undefined> {
  const { email, ...days } = input
  const { groupId, organizationId } = group
  const { accountId } = found(await findMember(db, { organizationId, email }))
  const [person] = await findPeople(db, group, [accountId])
  if (!can(actor, 'manageGroups', group)) {
    if (actor.accountId === accountId) throw new Problem(403, 'ownAccount')
    const own = await requireScoped(db, actor, group)
    // Of somebody who is in the group the days stay, where none are sent.
    if (days.validUntil === undefined && !person?.isIn) days.validUntil = own.until
    if (own.until && days.validUntil !== undefined && (!days.validUntil || days.validUntil > own.until))
      throw new Problem(403, 'longerThanOwn')
  }
  const changed = await putInGroup(db, { groupId, organizationId, source: 'hand' }, [accountId], days)
  if (changed.length === 0) throw new Problem(409, 'alreadyInGroup')
  const after = { peopleAdded: email, validFrom: days.validFrom, validUntil: days.validUntil }
  audit({ name: 'updateGroupMembers', ...groupAudit(group), after })
  return undefined
}

/** The role of the group's admin. It is not locked: whom they put in or take out is locked after it, and may be themselves. */
async function requireScoped(db: Db, { accountId }: { accountId: string }, { groupId, organizationId }: Group) {
  const scope = { role: 'groupAdmin', scopeId: groupId } as const
  const own = await findScopedUntil(db, { accountId, organizationId }, scope)
  if (!own) throw new Problem(403, 'moreThanOwn')
  return own
}

/**
 * Takes people out of a group, whatever their source, with events that name them. The group's admin takes out those who were
 * put in by hand. The caller has locked the group.
 */
export async function takePeople(
  { db, input, actor, audit }: RequestContext<typeof groups.take>,
  group: Group,
): Promise<{ rows: BulkRow[] }> {
  const { accountIds, dryRun } = input
  const { groupId, organizationId } = group
  const people = await findPeople(db, group, accountIds)
  const isManaged = can(actor, 'manageGroups', group)
  if (!isManaged) await requireScoped(db, actor, group)
  const concerned = people.filter(({ isIn, isInOtherwise }) => isIn || (isManaged && isInOtherwise))
  if (!dryRun && concerned.length > 0) {
    const [members, invited] = split(concerned)
    await takeFromGroup(db, { groupId, organizationId, source: isManaged ? undefined : 'hand' }, members)
    await withdrawGroup(db, groupId, invited)
    auditRemoved(audit, group, inWholeValues(concerned.map(emailOf)))
  }
  return { rows: outcomesOf(accountIds, people, concerned, 'bulkNotInGroup') }
}

const split = (people: readonly Person[]) =>
  [false, true].map((isInvited) => people.filter(({ invited }) => invited === isInvited).map(({ id }) => id)) as [
    string[],
    string[],
  ]
const emailOf = ({ email }: Person) => email

function outcomesOf(
  ids: readonly string[],
  people: readonly Person[],
  concerned: readonly Person[],
  otherwise: MessageKey,
): BulkRow[] {
  const known = new Map(people.map((one) => [one.id, one]))
  const done = new Set(concerned.map(({ id }) => id))
  return ids.map((accountId) => {
    if (done.has(accountId)) return { accountId, outcome: 'done', reason: null }
    const person = known.get(accountId)
    if (!person) return { accountId, outcome: 'failed', reason: 'notFound' satisfies MessageKey }
    const reason = person.isInOtherwise && otherwise === 'bulkNotInGroup' ? 'bulkNotByHand' : otherwise
    return { accountId, outcome: 'skipped', reason: reason satisfies MessageKey }
  })
}
