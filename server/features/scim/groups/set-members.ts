import { Problem } from '#server/platform/problem.ts'
import type { Directory } from '#server/platform/system.ts'
import type { Work } from '../admit-person.ts'
import { type GroupChange, maxMembers, membersAfter } from '../protocol/group.ts'
import { asMember } from '../scim-answers.ts'
import { followGroup, refuseTaking } from './follow-group.ts'
import type { ScimGroup } from './scim-groups.repository.ts'
import { deleteMembers, insertMembers, listMemberIds, listUserNames } from './scim-members.repository.ts'

/** Puts in and takes out whom the directory says. Somebody of another directory is nobody here. @returns whether anybody moved */
export async function setMembers(
  work: Work,
  group: ScimGroup,
  wanted: GroupChange,
  known: ReadonlyMap<string, string>,
  { tokenId }: Directory,
): Promise<boolean> {
  const { db, notes, system } = work
  const { scimGroupId } = group
  if (wanted.members.length === 0) return false
  const before = new Set(await listMemberIds(db, scimGroupId))
  const names = new Map([...known, ...(hasFilter(wanted) ? await listUserNames(db, scimGroupId) : [])])
  const { after, hasUnknown } = membersAfter(before, wanted, {
    isKnown: (id) => known.has(id),
    describe: (id) => asMember(system.config.baseUrl, { scimUserId: id, userName: names.get(id) ?? '' }),
  })
  if (hasUnknown) notes.push({ attribute: 'members', reason: 'unknownMember' })
  if (after.size > maxMembers && after.size > before.size) throw new Problem(400, 'scimGroupTooLarge')
  const [added, removed] = [[...after].filter((id) => !before.has(id)), [...before].filter((id) => !after.has(id))]
  if (added.length + removed.length === 0) return false
  await refuseTaking(work, group, removed)
  await deleteMembers(db, scimGroupId, removed)
  await insertMembers(db, { scimGroupId, tokenId }, added)
  await followGroup(work, group, { added, removed })
  return true
}

const hasFilter = ({ members }: GroupChange) => members.some(({ filter }) => filter)
