import type { ScimDeed } from '#contract/scim/scim.ts'
import { lockGroup, putInGroup, takeFromGroup } from '#server/accounts/groups.repository.ts'
import type { AuditEntry } from '#server/platform/audit/audit.ts'
import { inWholeValues } from '#server/platform/audit/long-lists.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Work } from '../admit-person.ts'
import { refuseAboveToken } from '../token-power.ts'
import type { ScimGroup } from './scim-groups.repository.ts'
import {
  findRoleName,
  leftAlone,
  listGone,
  listReached,
  type Person,
  somebodyWaits,
} from './scim-members.repository.ts'

interface Following {
  db: Db
  audit: (entry: AuditEntry) => void
  deeds: ScimDeed[]
}

/** Who has come into a group of the directory, and who is in it no longer: ids of the directory. */
export interface Moved {
  added: readonly string[]
  removed: readonly string[]
}

/**
 * Gives who has come into a group of the directory what it becomes here, and takes it from who has left, with events. What
 * another group of the directory or a person gave stays. Without a free seat it waits, and the log says so.
 */
export async function followGroup(work: Following, group: ScimGroup, { added, removed }: Moved): Promise<void> {
  const { db } = work
  const { scimGroupId, displayName, organizationId, groupId, role } = group
  if (groupId === null && role === null) return
  const come = await listReached(db, scimGroupId, added)
  const gone = await listGone(db, organizationId, removed)
  if (groupId !== null) await moveBetween(work, groupId, { come, gone })
  else if (come.length + gone.length > 0) {
    // Who has a role by the directory has it while they are in: the database asks each time.
    const roles = await findRoleName(db, group)
    tell(work, { id: scimGroupId, name: displayName, organizationId, roles }, come, gone)
    work.deeds.push('holders')
  }
}

/**
 * A token that nobody answers for takes nobody with rights out of a group that is something here: what the group gives may be one.
 *
 * @throws Problem 403 `scimTokenUnconfirmed`
 */
export async function refuseTaking(
  work: Pick<Work, 'db' | 'stands'>,
  { groupId, role, organizationId }: ScimGroup,
  removed: readonly string[],
): Promise<void> {
  if (work.stands || (groupId === null && role === null)) return
  await refuseAboveToken(work, { organizationId, accountIds: idsOf(await listGone(work.db, organizationId, removed)) })
}

const idsOf = (people: readonly Person[]) => people.map(({ accountId }) => accountId)

async function moveBetween(
  work: Following,
  groupId: string,
  { come, gone }: { come: Person[]; gone: Person[] },
): Promise<void> {
  const { db, deeds } = work
  const group = await lockGroup(db, groupId)
  if (!group) return
  const { organizationId, name } = group
  const of = { groupId, organizationId, source: 'directory' as const }
  const [taken, put] = [new Set<string>(), new Set<string>()]
  for (const some of inParts(await leftAlone(db, groupId, idsOf(gone)), 500))
    for (const accountId of await takeFromGroup(db, of, some)) taken.add(accountId)
  for (const some of inParts(idsOf(come), 500))
    for (const accountId of await putInGroup(db, of, some)) put.add(accountId)
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
const inParts = <One>(all: readonly One[], size: number): One[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size))

const emailsOf = (people: readonly Person[]) => people.map(({ email }) => email)

interface Target {
  id: string
  name: string
  organizationId: string
  /** Of a group that is a role. */
  roles?: string
}

/** As many events as name them all. */
function tell(
  work: Pick<Following, 'audit'>,
  target: Target,
  added: readonly Person[],
  removed: readonly Person[],
): void {
  for (const peopleAdded of inWholeValues(emailsOf(added))) tellSome(work, target, { peopleAdded })
  for (const peopleRemoved of inWholeValues(emailsOf(removed))) tellSome(work, target, { peopleRemoved })
}

const tellSome = ({ audit }: Pick<Following, 'audit'>, { id, name, organizationId, roles }: Target, people: object) =>
  audit({
    name: 'updateGroupMembers',
    target: { id, label: name },
    organizationIds: [organizationId],
    after: { ...(roles !== undefined && { roles }), ...people },
  })
