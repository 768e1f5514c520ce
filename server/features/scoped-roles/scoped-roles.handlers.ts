import type { Period } from '#contract/fields/period.ts'
import { scopedNeeds } from '#contract/organization-roles/role-permissions.ts'
import { scopedRoles } from '#contract/scoped-roles/scoped-roles.ts'
import { changeGrants } from '#server/accounts/grants.ts'
import { findMember } from '#server/accounts/roles.repository.ts'
import type { Handlers, RequestContext } from '#server/platform/http/request-context.ts'
import { found } from '#server/platform/problem.ts'
import { type CreateCallGroups, callGroup } from '#server/room.ts'
import { findGroup, findOffer, listHolders, type Named } from './scoped-roles.repository.ts'

type Context = Pick<RequestContext, 'db' | 'actor' | 'audit'>

export const scopedRolesHandlers: Handlers<typeof scopedRoles> = {
  groupAdmins: async (context) => listHolders(context.db, await findAllowedGroup(context)),
  nameGroupAdmin: async (context) => name(context, await findAllowedGroup(context), context.input),
  dismissGroupAdmin: async (context) => dismiss(context, await findAllowedGroup(context), context.params.accountId),
  serviceOwners: async (context) => listHolders(context.db, await findOfferedService(context)),
  nameServiceOwner: async (context) => name(context, await findOfferedService(context), context.input),
  dismissServiceOwner: async (context) => dismiss(context, await findOfferedService(context), context.params.accountId),
}

async function findAllowedGroup({
  db,
  params,
  allow,
}: Pick<RequestContext, 'db' | 'allow'> & { params: { id: string } }): Promise<Named> {
  const { groupId, ...group } = found(await findGroup(db, params.id))
  allow('manageGroups', group)
  return { ...group, role: 'groupAdmin', scopeId: groupId }
}

async function findOfferedService({
  db,
  params,
}: Pick<RequestContext, 'db'> & { params: { serviceId: string; organizationId: string } }): Promise<Named> {
  const { serviceId, ...service } = found(await findOffer(db, params))
  return { ...service, role: 'serviceOwner', scopeId: serviceId }
}

/** Gives the role to a member, or sets its days. Nobody names themselves, or somebody for longer than they could do it. */
async function name(
  context: Context,
  { organizationId, scopeId, role, name }: Named,
  { email, validFrom, validUntil }: Period & { email: string },
): Promise<undefined> {
  const { accountId } = found(await findMember(context.db, { organizationId, email }))
  await changeGrants(context, { accountId, organizationId, scopeId }, ([had]) => [
    {
      ...{ role, scopeId, name, permissions: scopedNeeds[role] },
      validFrom: validFrom === undefined ? (had?.validFrom ?? null) : validFrom,
      validUntil: validUntil === undefined ? (had?.validUntil ?? null) : validUntil,
    },
  ])
  return undefined
}

async function dismiss(context: Context, { organizationId, scopeId }: Named, accountId: string): Promise<undefined> {
  await changeGrants(context, { accountId, organizationId, scopeId }, (before) => {
    found(before[0])
    return []
  })
  return undefined
}

export const createCallGroups: CreateCallGroups = () => [callGroup(scopedRoles, scopedRolesHandlers)]
