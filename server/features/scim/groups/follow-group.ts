import {
  builtInRoles,
  isBuiltIn,
  type RolePermission,
  rolePermissions,
} from '#contract/organization-roles/role-permissions.ts'
import { lockGroup, putInGroup, takeFromGroup } from '#server/accounts/groups.repository.ts'
import { hasStandingAdmin } from '#server/accounts/own-permissions.repository.ts'
import type { Work } from '../admit-person.ts'
import type { ScimGroup } from './scim-groups.repository.ts'
import { leftAlone, listMembersBehind, somebodyWaits } from './scim-members.repository.ts'

type Following = Pick<Work, 'db' | 'audit' | 'deeds'>

/** Who has come into a group of the directory, and who is in it no longer: ids of the directory. */
export interface Moved {
  added: readonly string[]
  removed: readonly string[]
}

/**
 * Gives who has come into a group of the directory what it becomes here, and takes it from who has left, with one event. What
 * another group of the directory or a person gave stays. Without a free seat it waits, and the log says so.
 */
export async function followGroup(work: Following, group: ScimGroup, { added, removed }: Moved): Promise<void> {
  const { db } = work
  const { organizationId, groupId, role } = group
  if (groupId === null && role === null) return
  const come = await listMembersBehind(db, organizationId, added)
  const gone = await listMembersBehind(db, organizationId, removed)
  if (groupId !== null) await moveBetween(work, groupId, { come, gone })
  else if (come.length + gone.length > 0) {
    // Who has a role by the directory has it while they are in: the database asks each time.
    tell(work, { id: group.scimGroupId, name: group.displayName, organizationId }, come, gone)
    work.deeds.push('holders')
  }
}

type People = Awaited<ReturnType<typeof listMembersBehind>>
const idsOf = (people: People) => people.map(({ accountId }) => accountId)

async function moveBetween(
  work: Following,
  groupId: string,
  { come, gone }: { come: People; gone: People },
): Promise<void> {
  const { db, deeds } = work
  const group = await lockGroup(db, groupId)
  if (!group) return
  const { organizationId, name } = group
  const of = { groupId, organizationId, source: 'directory' as const }
  const [taken, put] = [new Set<string>(), new Set<string>()]
  for (const some of inParts(await leftAlone(db, groupId, idsOf(gone))))
    for (const accountId of await takeFromGroup(db, of, some)) taken.add(accountId)
  for (const some of inParts(idsOf(come))) for (const accountId of await putInGroup(db, of, some)) put.add(accountId)
  if (put.size + taken.size === 0) return
  const [added, removed] = [
    come.filter(({ accountId }) => put.has(accountId)),
    gone.filter(({ accountId }) => taken.has(accountId)),
  ]
  tell(work, { id: groupId, name, organizationId }, added, removed)
  deeds.push('members')
  if (await somebodyWaits(db, organizationId, idsOf(added))) deeds.push('noSeat')
}

/** No statement runs into its time limit, however many people move at once. */
const inParts = (ids: readonly string[]) =>
  Array.from({ length: Math.ceil(ids.length / 500) }, (_, index) => ids.slice(index * 500, (index + 1) * 500))

const emailsOf = (people: People) => people.map(({ email }) => email).join(', ')

const tell = (
  { audit }: Following,
  { id, name, organizationId }: { id: string; name: string; organizationId: string },
  added: People,
  removed: People,
) =>
  audit({
    name: 'updateGroupMembers',
    target: { id, label: name },
    organizationIds: [organizationId],
    after: {
      ...(added.length > 0 && { peopleAdded: emailsOf(added) }),
      ...(removed.length > 0 && { peopleRemoved: emailsOf(removed) }),
    },
  })

/** Makes a change by which people can lose a role. That the last admin loses it counts, too (decision 0085); the log says it. */
export async function sayingLastAdmin<Result>(
  { db, deeds }: Following,
  { organizationId, role }: ScimGroup,
  change: () => Promise<Result>,
): Promise<Result> {
  const had = role !== null && (await hasStandingAdmin(db, organizationId))
  const result = await change()
  if (had && !(await hasStandingAdmin(db, organizationId))) deeds.push('lastAdmin')
  return result
}

/** What a role allows. An own role's permissions come from the database. */
export const permissionsOf = (role: string): readonly RolePermission[] | undefined =>
  role === 'organizationAdmin' ? rolePermissions : isBuiltIn(role) ? builtInRoles[role] : undefined
