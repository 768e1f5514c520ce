import type { MessageKey } from '#contract/message-key.ts'
import { type DeclaredRole, serviceRoles } from '#contract/service-roles/service-roles.ts'
import type { Db } from '#server/platform/database/database.ts'
import { checkVersion, isUnchanged } from '#server/platform/database/versioned.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { found, Problem } from '#server/platform/problem.ts'
import { type CreateCallGroups, callGroup } from '#server/room.ts'
import { findHolder, listHeld } from './holders.repository.ts'
import {
  findBrokenRules,
  findOrganization,
  findRole,
  findRoleForUpdate,
  findService,
  insertRole,
  listOfferedRoles,
  listOrganizationIds,
  listRoles,
  removeRole,
  updateRole,
} from './service-roles.repository.ts'
import { setRoles } from './set-roles.ts'

export const serviceRolesHandlers: Handlers<typeof serviceRoles> = {
  list: async ({ db, query }) => listRoles(db, found(await findService(db, query.serviceId)).serviceId),
  read: async ({ db, params }) => found(await findRole(db, params.id)),
  create: async ({ db, input, audit }) => {
    await checkExcluded(db, input)
    const after = await insertRole(db, input)
    audit({
      name: 'createServiceRole',
      target: labelled(after),
      after: await forAudit(db, after),
      ...(await seenBy(db, after)),
    })
    return after
  },
  update: async ({ db, input, audit }) => {
    const { roleId, version, ...form } = input
    const before = found(await findRoleForUpdate(db, roleId))
    checkVersion(before, version)
    if (isUnchanged<object>(before, form)) return before
    await checkExcluded(db, { ...before, ...form })
    const after = await updateRole(db, roleId, form)
    const broken = await findBrokenRules(db, roleId)
    if (broken?.tooMany) throw new Problem(409, 'roleHasMorePeople')
    if (broken?.together) throw new Problem(409, 'rolesHeldTogether')
    audit({
      name: 'updateServiceRole',
      target: labelled(after),
      before: await forAudit(db, before),
      after: await forAudit(db, after),
      ...(await seenBy(db, after)),
    })
    return after
  },
  remove: async ({ db, params, audit, now }) => {
    const before = found(await findRoleForUpdate(db, params.id))
    await removeRole(db, before.roleId, now)
    audit({
      name: 'deleteServiceRole',
      target: labelled(before),
      before: await forAudit(db, before),
      ...(await seenBy(db, before)),
    })
    return undefined
  },
  ofOrganization: async ({ db, params }) =>
    listOfferedRoles(db, found(await findOrganization(db, params.organizationId)).organizationId),
  ofPerson: async ({ db, params }) => {
    found(await findHolder(db, params))
    return listHeld(db, params)
  },
  setOfPerson: async (context) => {
    const { roleIds, periods = [] } = context.input
    const days = new Map(periods.map(({ roleId, ...days }) => [roleId, days]))
    await setRoles(context, context.params, () => roleIds, days)
    return undefined
  },
}

/** @throws Problem 422 for the role itself, or one that the service does not have */
async function checkExcluded(
  db: Db,
  { serviceId, key, excludes = [] }: { serviceId: string; key: string; excludes?: readonly string[] | undefined },
) {
  const keys = new Set((await listRoles(db, serviceId)).map((role) => role.key))
  const wrong = excludes.findIndex((other) => other === key || !keys.has(other))
  if (wrong < 0) return
  throw new Problem(422, 'validationFailed', {
    issues: [{ path: `excludes.${wrong}`, message: 'notFound' satisfies MessageKey }],
  })
}

const labelled = ({ roleId, key }: DeclaredRole) => ({ id: roleId, label: key })

const forAudit = async (db: Db, { roleId: _, serviceId, excludes, ...role }: DeclaredRole) => ({
  ...role,
  excludes: excludes.join(', '),
  service: (await findService(db, serviceId))?.name,
})

const seenBy = async (db: Db, { serviceId }: DeclaredRole) => ({
  organizationIds: await listOrganizationIds(db, serviceId),
})

export const createCallGroups: CreateCallGroups = () => [callGroup(serviceRoles, serviceRolesHandlers)]
