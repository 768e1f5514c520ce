import { writeAuditEvent } from '#server/platform/audit/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { NewMembership } from './directory-groups.repository.ts'
import * as repository from './directory-groups.repository.ts'
import type { Member } from './group-access.repository.ts'
import { putInGroup } from './groups.repository.ts'

/** Who did something, and in which request. */
export interface Acting {
  id: string
  label: string
  requestId: string
}

/**
 * Makes people members. Those whom the directory of the organisation has are its people from then on, in the groups in which
 * it has them.
 *
 * @param acting the directory, or who has asked for it; undefined: the way in has an event of its own
 */
export async function insertMemberships(db: Db, memberships: readonly NewMembership[], acting?: Acting): Promise<void> {
  await repository.insertRows(db, memberships)
  for (const { accountId, organizationId } of memberships) {
    const member = { accountId, organizationId }
    await repository.linkToDirectory(db, member)
    if (await joinDirectoryGroups(db, member, acting)) await repository.forgetKept(db, member)
  }
}

/**
 * Puts a member in the groups in which the directory has them, with an event for each; they get what these give, as far as
 * seats last.
 *
 * @returns whether the directory has them
 */
export async function joinDirectoryGroups(db: Db, member: Member, acting?: Acting): Promise<boolean> {
  const { accountId, organizationId } = member
  // People, then groups, as everybody locks them.
  const views = await repository.lockViews(db, member)
  if (views.length === 0) return false
  if (!(await repository.lockDirectoryGroups(db, views))) return true
  await repository.holdBack(db, views)
  const cameIn: string[] = []
  for (const groupId of await repository.listGroupsByDirectory(db, accountId, views)) {
    const put = await putInGroup(db, { groupId, organizationId, source: 'directory' }, [accountId])
    if (put.length > 0) cameIn.push(groupId)
  }
  for (const { id, name, email, roles, now } of await repository.describeJoined(db, accountId, views, cameIn))
    await writeAuditEvent(
      db,
      {
        name: 'updateGroupMembers',
        actor: acting ? { id: acting.id, label: acting.label } : null,
        target: { id, label: name },
        organizationIds: [organizationId],
        after: { ...(roles !== null && { roles }), peopleAdded: email },
      },
      { requestId: acting?.requestId ?? 'directory groups', now },
    )
  return true
}

/**
 * Changes what decides whether directories reach an account: the proof of its address, and how it signs in. It joins the groups
 * of those that reach it from now on.
 */
export async function reachingMore<Result>(db: Db, accountId: string, change: () => Promise<Result>): Promise<Result> {
  // Most people are in no directory.
  if ((await repository.listDirectories(db, accountId)).length === 0) return change()
  await repository.lockAccount(db, accountId)
  const before = await repository.listDirectories(db, accountId)
  const result = await change()
  for (const { organizationId, reaches } of await repository.listDirectories(db, accountId)) {
    const reached = before.some((one) => one.organizationId === organizationId && one.reaches)
    if (reaches && !reached) await joinDirectoryGroups(db, { accountId, organizationId })
  }
  return result
}
