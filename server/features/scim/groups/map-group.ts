import {
  builtInRoles,
  isBuiltIn,
  powersOverOthers,
  type RolePermission,
} from '#contract/organization-roles/role-permissions.ts'
import type { DirectoryGroup } from '#contract/scim/directory-groups.ts'
import type { directories } from '#contract/scim/scim.ts'
import { lockGroup } from '#server/accounts/groups.repository.ts'
import { refuseMoreThanOwn } from '#server/accounts/own-permissions.ts'
import { createGroup } from '#server/features/groups/groups.ts'
import type { Db } from '#server/platform/database/database.ts'
import { checkVersion } from '#server/platform/database/versioned.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { found, Problem } from '#server/platform/problem.ts'
import { followGroup } from './follow-group.ts'
import { findOwnRole, lockScimGroup, mayLetIn, type ScimGroup, setMapping } from './scim-groups.repository.ts'
import { letIn, listDirectoryGroups, listMemberIds } from './scim-members.repository.ts'

type Context = RequestContext<typeof directories.mapGroup>
type Mapping = Pick<ScimGroup, 'groupId' | 'roleKey' | 'roleId'>
const nothing: Mapping = { groupId: null, roleKey: null, roleId: null }

/**
 * Decides what a group of the directory becomes. What it gave before ends, and its people get the new at once. The same once
 * more lets in who was held back.
 */
export async function mapGroup(context: Context): Promise<DirectoryGroup> {
  const { db, params, input, actor, audit } = context
  const { id: organizationId, scimGroupId } = params
  const before = found(await lockScimGroup(db, { organizationId, scimGroupId }))
  checkVersion(before, input.version)
  const shown = async () => found((await listDirectoryGroups(db, { organizationId, scimGroupId }))[0])
  const [had, mapping] = [await shown(), await plan(context)]
  const isSame = (['groupId', 'roleKey', 'roleId'] as const).every((column) => mapping[column] === before[column])
  const isHeldBack = had.heldBack > 0 || !(await mayLetIn(db, organizationId, before.decidedBy))
  if (isSame && (!isHeldBack || input.becomes === 'nothing')) return had
  await checkRole(context, before, undefined)
  // Its people have a role without an end.
  await checkRole(context, { ...mapping, role: mapping.roleKey ?? mapping.roleId }, null)
  const members = await listMemberIds(db, scimGroupId)
  const work = { db, audit, deeds: [] }
  const after = await setMapping(db, scimGroupId, { ...mapping, decidedBy: actor.accountId })
  await letIn(db, scimGroupId)
  const is = await shown()
  audit({
    name: 'mapDirectoryGroup',
    target: { id: scimGroupId, label: before.displayName },
    before: inWords(had),
    after: inWords(is),
    organizationIds: [organizationId],
  })
  if (!isSame) await followGroup(work, before, { added: [], removed: members })
  await followGroup(work, after, { added: members, removed: [] })
  return shown()
}

/** What a group has become, as events say it. */
export const inWords = ({ groupName, role, roleName }: DirectoryGroup) => ({
  group: groupName,
  roles: roleName ?? role,
})

/** @throws Problem 422 for a group or role that the organisation does not have */
async function plan(context: Context): Promise<Mapping> {
  const { db, input, params } = context
  const organizationId = params.id
  const { becomes, groupId = null, role = null, name, services } = input
  if (becomes === 'group') {
    const group = groupId === null ? undefined : await lockGroup(db, groupId)
    if (group?.organizationId !== organizationId) throw missing('groupId')
    return { ...nothing, groupId }
  }
  if (becomes === 'services') {
    const group = await createGroup(context, { organizationId, name: name ?? '', services })
    return { ...nothing, groupId: group.groupId }
  }
  if (becomes === 'nothing' || role === null) return nothing
  if (role === 'organizationAdmin') throw refusal()
  if (isBuiltIn(role)) {
    refusePower(builtInRoles[role])
    return { ...nothing, roleKey: role }
  }
  const own = await findOwnRole(db, { organizationId, roleId: role })
  if (!own) throw missing('role')
  refusePower(own.permissions)
  return { ...nothing, roleId: role }
}

const refusal = () =>
  new Problem(422, 'validationFailed', { issues: [{ path: 'role', message: 'directoryGivesNoPower' }] })

/** A directory appoints nobody who decides what others may (decision 0086). */
function refusePower(permissions: readonly RolePermission[]): void {
  if (permissions.some((one) => powersOverOthers.includes(one))) throw refusal()
}

const missing = (path: 'groupId' | 'role') =>
  new Problem(422, 'validationFailed', { issues: [{ path, message: 'notFound' }] })

/** Nobody gives or takes a role whose permissions they do not hold, or not for as long. */
async function checkRole(
  { db, actor, params }: Context,
  { role, roleId }: Pick<ScimGroup, 'role' | 'roleId'>,
  until: null | undefined,
): Promise<void> {
  if (role === null) return
  const organizationId = params.id
  const permissions = isBuiltIn(role)
    ? builtInRoles[role]
    : await ownPermissions(db, { organizationId, roleId: found(roleId ?? undefined) })
  await refuseMoreThanOwn(db, actor, { organizationId, permissions, until })
}

const ownPermissions = async (
  db: Db,
  role: { organizationId: string; roleId: string },
): Promise<readonly RolePermission[]> => found(await findOwnRole(db, role)).permissions
