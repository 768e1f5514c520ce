import { lockGroup, putInGroup } from '#server/accounts/groups.repository.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { groupAudit } from './group-audit.ts'
import { type EndingInGroup, listEnding } from './group-people.repository.ts'

interface Days {
  /** What ends until this day is extended. */
  soon: string
  until: string
}

/** Extends a person's days in the groups of an organisation, with an event for each. Call it before the person is locked. */
export async function extendInGroups(
  { db, audit }: { db: Db } & Pick<RequestContext, 'audit'>,
  { organizationId, accountId }: { organizationId: string; accountId: string },
  { soon, until }: Days,
): Promise<void> {
  const ending = (await listEnding(db, { organizationId, soon }, [accountId])).filter((one) => canExtend(one, until))
  for (const { groupId } of ending) {
    const group = await lockGroup(db, groupId)
    // As it is now: somebody else may have extended it.
    const still = (await listEnding(db, { organizationId, soon }, [accountId])).find((one) => one.groupId === groupId)
    if (!group || !still || !canExtend(still, until)) continue
    await putInGroup(db, { groupId, organizationId, source: 'hand' }, [accountId], { validUntil: until })
    audit({
      name: 'updateGroupMembers',
      ...groupAudit(group),
      before: { validUntil: still.validUntil },
      after: { peopleAdded: still.email, validUntil: until },
    })
  }
}

/** Whether a later last day of the person does it; where a service of the group ends, the group says when. */
export const canExtend = ({ ofPerson, validUntil }: EndingInGroup, until: string): boolean =>
  ofPerson && validUntil < until
