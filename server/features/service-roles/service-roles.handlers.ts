import { type Actor, ownsService } from '#contract/actor.ts'
import type { MessageKey } from '#contract/message-key.ts'
import { can } from '#contract/permissions.ts'
import { roleFiles } from '#contract/service-roles/role-files.ts'
import { serviceRoles } from '#contract/service-roles/service-roles.ts'
import type { Db } from '#server/platform/database/database.ts'
import { checkVersion, isUnchanged } from '#server/platform/database/versioned.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { found, Problem } from '#server/platform/problem.ts'
import { type CreateCallGroups, callGroup } from '#server/room.ts'
import { findHolder, listHeld, listHeldServices } from './holders.repository.ts'
import { eventOf } from './role-events.ts'
import { roleFilesHandlers } from './role-files.handlers.ts'
import {
  findBrokenRules,
  findOrganization,
  findRole,
  findRoleForUpdate,
  findService,
  insertRole,
  listOfferedRoles,
  listRoles,
  removeRoles,
  updateRole,
} from './service-roles.repository.ts'
import { setRoles } from './set-roles.ts'

export const serviceRolesHandlers: Handlers<typeof serviceRoles> = {
  list: async ({ db, query }) => listRoles(db, found(await findService(db, query.serviceId)).serviceId),
  read: async ({ db, params }) => found(await findRole(db, params.id)),
  create: async ({ db, input, audit }) => {
    await checkExcluded(db, input)
    const after = await insertRole(db, input)
    audit(await eventOf(db, { after }))
    return after
  },
  update: async ({ db, input, audit }) => {
    const { roleId, version, ...form } = input
    const before = found(await findRoleForUpdate(db, roleId))
    checkVersion(before, version)
    if (isUnchanged<object>(before, form)) return before
    await checkExcluded(db, { ...before, ...form })
    const { maxPeople = before.maxPeople, excludes = before.excludes } = form
    const [broken] = await findBrokenRules(db, [{ roleId, maxPeople, excludes }])
    if (broken?.tooMany) throw new Problem(409, 'roleHasMorePeople')
    if (broken?.together) throw new Problem(409, 'rolesHeldTogether')
    const after = await updateRole(db, roleId, form)
    audit(await eventOf(db, { before, after }))
    return after
  },
  remove: async ({ db, params, audit, now }) => {
    const before = found(await findRoleForUpdate(db, params.id))
    await removeRoles(db, [before.roleId], now)
    audit(await eventOf(db, { before }))
    return undefined
  },
  ofOrganization: async ({ db, params, actor }) => {
    const { organizationId } = found(await findOrganization(db, params.organizationId))
    return (await listOfferedRoles(db, organizationId)).filter(inSight(actor, organizationId))
  },
  ofPerson: async ({ db, params, actor }) => {
    found(await findHolder(db, params))
    const isSeen = inSight(actor, params.organizationId)
    const services = await listHeldServices(db, params)
    // Who is responsible for a service sees the people who have it, and nobody else.
    if (!can(actor, 'readPeople', params) && !services.some(isSeen)) throw new Problem(404, 'notFound')
    return (await listHeld(db, params)).filter(isSeen)
  },
  setOfPerson: async (context) => {
    const { roleIds, periods = [] } = context.input
    const days = new Map(periods.map(({ roleId, ...days }) => [roleId, days]))
    await setRoles(context, context.params, () => roleIds, days)
    return undefined
  },
}

/** Whether the actor sees the roles of a service in an organisation. */
const inSight = (actor: Actor, organizationId: string) => {
  const seesAll = can(actor, 'readPeople', { organizationId })
  return ({ serviceId }: { serviceId: string }) => seesAll || ownsService(actor, { organizationId, serviceId })
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

export const createCallGroups: CreateCallGroups = () => [
  callGroup(serviceRoles, serviceRolesHandlers),
  callGroup(roleFiles, roleFilesHandlers),
]
