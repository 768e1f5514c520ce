import type { Period } from '#contract/fields/period.ts'
import { scopedNeeds } from '#contract/organization-roles/role-permissions.ts'
import { can } from '#contract/permissions.ts'
import { type ScopedHolder, scopedRoles } from '#contract/scoped-roles/scoped-roles.ts'
import { lockAdmins } from '#server/accounts/own-permissions.repository.ts'
import { refuseMoreThanOwn } from '#server/accounts/own-permissions.ts'
import { findMember } from '#server/accounts/roles.repository.ts'
import { lockUser } from '#server/accounts/stored-user.repository.ts'
import { labelled, periodText } from '#server/accounts/user-audit.ts'
import type { Handlers, RequestContext } from '#server/platform/http/request-context.ts'
import { found, Problem } from '#server/platform/problem.ts'
import { type CreateCallGroups, callGroup } from '#server/room.ts'
import {
  findGroup,
  findHolder,
  findOffer,
  giveScoped,
  listHolders,
  type Named,
  takeScoped,
} from './scoped-roles.repository.ts'

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
export async function name(
  context: Context,
  scope: Named,
  { email, validFrom, validUntil }: Period & { email: string },
): Promise<undefined> {
  const { db, actor } = context
  const { organizationId } = scope
  const { accountId } = found(await findMember(db, { organizationId, email }))
  const user = found(await lockUser(db, accountId))
  await lockAdmins(db, organizationId)
  const before = await findHolder(db, scope, accountId)
  const after = {
    validFrom: validFrom === undefined ? (before?.validFrom ?? null) : validFrom,
    validUntil: validUntil === undefined ? (before?.validUntil ?? null) : validUntil,
  }
  if (before && text(scope, before) === text(scope, after)) return undefined
  if (actor.accountId === accountId && !can(actor, 'manageUsers')) throw new Problem(403, 'ownAccount')
  await refuseMoreThanOwn(db, actor, { organizationId, permissions: scopedNeeds[scope.role], until: after.validUntil })
  await giveScoped(db, scope, accountId, after)
  record(context, scope, user, before, after)
  return undefined
}

async function dismiss(context: Context, scope: Named, accountId: string): Promise<undefined> {
  const { db, actor } = context
  const { organizationId } = scope
  const user = found(await lockUser(db, accountId))
  const before = found(await findHolder(db, scope, accountId))
  await refuseMoreThanOwn(db, actor, { organizationId, permissions: scopedNeeds[scope.role] })
  await takeScoped(db, scope, accountId)
  record(context, scope, user, before, undefined)
  return undefined
}

const text = ({ role, name }: Named, { validFrom, validUntil }: Pick<ScopedHolder, 'validFrom' | 'validUntil'>) =>
  [`${role} [${name}]`, periodText(validFrom, validUntil)].filter(Boolean).join(' ')

function record(
  { audit }: Pick<RequestContext, 'audit'>,
  scope: Named,
  user: NonNullable<Awaited<ReturnType<typeof lockUser>>>,
  before: Pick<ScopedHolder, 'validFrom' | 'validUntil'> | undefined,
  after: Pick<ScopedHolder, 'validFrom' | 'validUntil'> | undefined,
) {
  const { organizationId } = scope
  const organization = user.organizations.find((one) => one.organizationId === organizationId)?.name
  audit({
    name: 'updateUserRoles',
    target: labelled(user),
    before: { roles: before ? text(scope, before) : '' },
    after: { roles: after ? text(scope, after) : '', organization },
    organizationIds: [organizationId],
  })
}

export const createCallGroups: CreateCallGroups = () => [callGroup(scopedRoles, scopedRolesHandlers)]
