import type { organizationRoles } from '#contract/organization-roles/organization-roles.ts'
import { can } from '#contract/permissions.ts'
import type { Issue } from '#contract/problem.ts'
import { type Grant, listGrants } from '#server/accounts/grants.repository.ts'
import { keepingAnAdmin } from '#server/accounts/keep-an-admin.ts'
import { lockAdmins } from '#server/accounts/own-permissions.repository.ts'
import { refuseMoreThanOwn } from '#server/accounts/own-permissions.ts'
import { lockUser } from '#server/accounts/stored-user.repository.ts'
import { labelled, periodText } from '#server/accounts/user-audit.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { found, Problem } from '#server/platform/problem.ts'
import { listGivable, replaceGrants } from './organization-roles.repository.ts'

type Context = Pick<RequestContext<typeof organizationRoles.setOfPerson>, 'db' | 'actor' | 'audit' | 'params' | 'input'>

/** Sets the roles of a member beside the admin role. To give, change or take a role, a person must hold what it allows. */
export async function setRoles(context: Context): Promise<undefined> {
  const { db, actor, params, audit } = context
  const { userId: accountId, organizationId } = params
  const place = { accountId, organizationId }
  // In this order, as every change of a person.
  const user = found(await lockUser(db, accountId))
  await lockAdmins(db, organizationId)
  const membership = found(user.organizations.find((one) => one.organizationId === organizationId))
  const before = await listGrants(db, place, { byHand: true })
  const after = await planGrants(context, before)
  const given = after.filter((one) => !before.some((had) => isSame(had, one)))
  const taken = before.filter((had) => !after.some((one) => isSame(had, one)))
  if (given.length + taken.length === 0) return undefined
  for (const one of given) {
    const had = before.find(({ role }) => role === one.role)
    if (actor.accountId === accountId && !can(actor, 'manageUsers') && isMore(had, one))
      throw new Problem(403, 'ownAccount')
    await refuseMoreThanOwn(db, actor, { ...one, organizationId, until: one.validUntil })
  }
  for (const { permissions } of taken) await refuseMoreThanOwn(db, actor, { organizationId, permissions })
  await keepingAnAdmin(db, actor, organizationId, () => replaceGrants(db, place, after))
  audit({
    name: 'updateUserRoles',
    target: labelled(user),
    before: { roles: rolesText(before) },
    after: { roles: rolesText(after), organization: membership.name },
    organizationIds: [organizationId],
  })
  return undefined
}

/** @throws Problem 422 with the path of a role that the organisation does not have */
async function planGrants({ db, params, input }: Context, before: readonly Grant[]): Promise<Grant[]> {
  const known = new Map((await listGivable(db, params.organizationId)).map((one) => [one.role, one]))
  const issues = input.roles.flatMap(({ role }, index): Issue[] =>
    known.has(role) ? [] : [{ path: `roles.${index}.role`, message: 'notFound' }],
  )
  if (issues.length > 0) throw new Problem(422, 'validationFailed', { issues })
  return input.roles.map(({ role, validFrom, validUntil }) => {
    const { name, permissions } = found(known.get(role))
    const had = before.find((one) => one.role === role)
    return {
      ...{ role, name, permissions },
      validFrom: validFrom === undefined ? (had?.validFrom ?? null) : validFrom,
      validUntil: validUntil === undefined ? (had?.validUntil ?? null) : validUntil,
    }
  })
}

const isSame = (one: Grant, other: Grant) =>
  one.role === other.role && one.validFrom === other.validFrom && one.validUntil === other.validUntil

/** Whether a role is new, begins earlier or ends later. */
const isMore = (had: Grant | undefined, one: Grant) =>
  !had ||
  (had.validUntil !== null && (one.validUntil === null || one.validUntil > had.validUntil)) ||
  (had.validFrom !== null && (one.validFrom === null || one.validFrom < had.validFrom))

const rolesText = (grants: readonly Grant[]) =>
  grants
    .map(({ role, name, permissions, validFrom, validUntil }) =>
      [`${name ?? role} [${permissions.join(', ')}]`, periodText(validFrom, validUntil)].filter(Boolean).join(' '),
    )
    .join('; ')
