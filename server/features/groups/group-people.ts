import type { Group, groups } from '#contract/groups/groups.ts'
import type { MessageKey } from '#contract/message-key.ts'
import type { BulkRow } from '#contract/users/bulk-users.ts'
import { putInGroup, takeFromGroup } from '#server/accounts/groups.repository.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { groupAudit } from './group-audit.ts'
import { findPeople, promiseGroup, withdrawGroup } from './group-people.repository.ts'

type Person = Awaited<ReturnType<typeof findPeople>>[number]

/** Puts people in a group by hand, with one event that names them. The caller has locked the group. */
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
    const after = { peopleAdded: emailsOf(concerned), validFrom: days.validFrom, validUntil: days.validUntil }
    audit({ name: 'updateGroupMembers', ...groupAudit(group), after })
  }
  return { rows: outcomesOf(accountIds, people, concerned, 'bulkInGroup') }
}

/** Takes people out of a group, whatever their source, with one event that names them. The caller has locked the group. */
export async function takePeople(
  { db, input, audit }: RequestContext<typeof groups.take>,
  group: Group,
): Promise<{ rows: BulkRow[] }> {
  const { accountIds, dryRun } = input
  const { groupId } = group
  const people = await findPeople(db, group, accountIds)
  const concerned = people.filter(({ isIn, isInOtherwise }) => isIn || isInOtherwise)
  if (!dryRun && concerned.length > 0) {
    const [members, invited] = split(concerned)
    await takeFromGroup(db, { groupId, source: undefined }, members)
    await withdrawGroup(db, groupId, invited)
    audit({ name: 'updateGroupMembers', ...groupAudit(group), after: { peopleRemoved: emailsOf(concerned) } })
  }
  return { rows: outcomesOf(accountIds, people, concerned, 'bulkNotInGroup') }
}

const split = (people: readonly Person[]) =>
  [false, true].map((isInvited) => people.filter(({ invited }) => invited === isInvited).map(({ id }) => id)) as [
    string[],
    string[],
  ]
const emailsOf = (people: readonly Person[]) => people.map(({ email }) => email).join(', ')

function outcomesOf(
  ids: readonly string[],
  people: readonly Person[],
  concerned: readonly Person[],
  otherwise: MessageKey,
): BulkRow[] {
  const known = new Set(people.map(({ id }) => id))
  const done = new Set(concerned.map(({ id }) => id))
  return ids.map((accountId) => {
    if (done.has(accountId)) return { accountId, outcome: 'done', reason: null }
    return known.has(accountId)
      ? { accountId, outcome: 'skipped', reason: otherwise }
      : { accountId, outcome: 'failed', reason: 'notFound' satisfies MessageKey }
  })
}
