import { type OwnRole, organizationRoles } from '#contract/organization-roles/organization-roles.ts'
import { withImplied } from '#contract/organization-roles/role-permissions.ts'
import { can } from '#contract/permissions.ts'
import { listGrants } from '#server/accounts/grants.repository.ts'
import { keepingAnAdmin } from '#server/accounts/keep-an-admin.ts'
import { lockAdmins } from '#server/accounts/own-permissions.repository.ts'
import { refuseMoreThanOwn } from '#server/accounts/own-permissions.ts'
import { findUser } from '#server/accounts/stored-user.repository.ts'
import { checkVersion, isUnchanged, merged } from '#server/platform/database/versioned.ts'
import type { Handlers, RequestContext } from '#server/platform/http/request-context.ts'
import { found, Problem } from '#server/platform/problem.ts'
import { type CreateCallGroups, callGroup } from '#server/room.ts'
import {
  deleteRole,
  findLastEnd,
  findOrganization,
  findRole,
  findRoleForUpdate,
  insertRole,
  listGivable,
  updateRole,
} from './organization-roles.repository.ts'
import { setRoles } from './set-roles.ts'

export const organizationRolesHandlers: Handlers<typeof organizationRoles> = {
  list: async ({ db, params }) =>
    listGivable(db, found(await findOrganization(db, params.organizationId)).organizationId),
  read: async ({ db, params }) => found(await findRole(db, params)),
  create: async ({ db, actor, params, input, audit }) => {
    const { organizationId } = found(await findOrganization(db, params.organizationId))
    const form = { ...input, permissions: withImplied(input.permissions) }
    await refuseMoreThanOwn(db, actor, { organizationId, permissions: form.permissions })
    const after = await insertRole(db, organizationId, form)
    audit({
      name: 'createOrganizationRole',
      target: labelled(after),
      after: forAudit(after),
      organizationIds: [organizationId],
    })
    return after
  },
  update,
  remove: async ({ db, actor, params, audit }) => {
    const { organizationId } = params
    await lockAdmins(db, organizationId)
    const before = found(await findRoleForUpdate(db, params))
    await refuseMoreThanOwn(db, actor, { organizationId, permissions: before.permissions })
    await keepingAnAdmin(db, actor, organizationId, () => deleteRole(db, before.roleId))
    audit({
      name: 'deleteOrganizationRole',
      target: labelled(before),
      before: forAudit(before),
      organizationIds: [organizationId],
    })
    return undefined
  },
  ofPerson: async ({ db, params }) => {
    const { userId: accountId, organizationId } = params
    const user = found(await findUser(db, accountId))
    found(user.organizations.find((one) => one.organizationId === organizationId))
    const grants = await listGrants(db, { accountId, organizationId }, { byHand: true, scopeId: null })
    return grants.map(({ role, validFrom, validUntil }) => ({ role, validFrom, validUntil }))
  },
  setOfPerson: setRoles,
}

/** What a role allows, its holders have: who changes one holds all of it, before and after. */
async function update(context: RequestContext<typeof organizationRoles.update>): Promise<OwnRole> {
  const { db, actor, params, input, audit } = context
  const { organizationId, roleId } = params
  await lockAdmins(db, organizationId)
  const before = found(await findRoleForUpdate(db, params))
  const { version, permissions, ...rest } = input
  checkVersion(before, version)
  const form = { ...rest, ...(permissions && { permissions: withImplied(permissions) }) }
  if (isUnchanged<object>(before, form)) return before
  const wanted = merged(before, form)
  await refuseMoreThanOwn(db, actor, { organizationId, permissions: before.permissions })
  const added = wanted.permissions.filter((one) => !before.permissions.includes(one))
  if (added.length > 0) {
    const own = await listGrants(db, { accountId: actor.accountId, organizationId }, { scopeId: null })
    if (!can(actor, 'manageUsers') && own.some(({ role }) => role === roleId)) throw new Problem(403, 'ownRole')
    const until = await findLastEnd(db, { organizationId, role: roleId })
    await refuseMoreThanOwn(db, actor, { organizationId, permissions: added, until })
  }
  const after = await keepingAnAdmin(db, actor, organizationId, () => updateRole(db, roleId, form))
  audit({
    name: 'updateOrganizationRole',
    target: labelled(after),
    before: forAudit(before),
    after: forAudit(after),
    organizationIds: [organizationId],
  })
  return after
}

const labelled = ({ roleId, name }: OwnRole) => ({ id: roleId, label: name })

const forAudit = ({ name, permissions }: OwnRole) => ({ name, permissions: permissions.join(', ') })

export const createCallGroups: CreateCallGroups = () => [callGroup(organizationRoles, organizationRolesHandlers)]
