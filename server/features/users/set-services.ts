import { can } from '#contract/permissions.ts'
import type { users } from '#contract/users.ts'
import type { Db } from '#server/platform/database.ts'
import { found, Problem } from '#server/platform/problem.ts'
import type { RequestContext } from '#server/platform/request-context.ts'
import { checkVersion } from '#server/platform/versioned.ts'
import { removeAssignment, setAssignments, setRole } from './belongings.repository.ts'
import { labelled, servicesText } from './user-audit.ts'
import { targetOf } from './user-in-sight.ts'
import { findMember, lockUser, raiseVersion, type StoredUser } from './users.repository.ts'

/** A person as one organisation knows them. */
function memberIn(user: StoredUser | undefined, organizationId: string) {
  const membership = found(user?.organizations.find((one) => one.organizationId === organizationId))
  const services = found(user).services.filter((one) => one.organizationId === organizationId)
  return { ...found(user), membership, services }
}
type Member = ReturnType<typeof memberIn>

async function lockMember(db: Db, { accountId, organizationId }: { accountId: string; organizationId: string }) {
  return memberIn(await lockUser(db, accountId), organizationId)
}

const forAudit = ({ membership, services }: Member) => ({
  organization: membership.name,
  userRole: membership.userRole,
  services: servicesText(services),
})

/** The one event of a change, and the version that tells an older form of it. */
async function noteChange({ db, audit }: Pick<RequestContext, 'db' | 'audit'>, before: Member): Promise<void> {
  const { accountId } = before
  const { organizationId, name } = before.membership
  await raiseVersion(db, accountId)
  const after = await lockMember(db, { accountId, organizationId })
  audit({
    name: 'updateUserServices',
    target: labelled(after),
    before: { ...forAudit(before), organization: '' },
    after: { ...forAudit(after), organization: name },
    organizationIds: [organizationId],
  })
}

/**
 * Role and services in an organisation as one change. A service admin decides about the own services alone: what is out
 * of reach stays as it is.
 */
export async function setServices(context: RequestContext<typeof users.setServices>): Promise<undefined> {
  const { db, params, input, actor } = context
  const { userId: accountId, organizationId } = params
  const user = found(await lockUser(db, accountId))
  context.allow('readUser', targetOf(user))
  const before = memberIn(user, organizationId)
  checkVersion(user, input.version)
  if (input.userRole !== undefined && input.userRole !== before.membership.userRole) {
    context.require('administerOrganization', { organizationId })
    await setRole(db, { accountId, organizationId, userRole: input.userRole })
  }
  const wanted = input.services.map((one) => ({ ...one, organizationId }))
  for (const one of wanted) context.require('handOutService', one)
  const present = before.services.filter((one) => can(actor, 'handOutService', one))
  await setAssignments(db, { accountId, present, wanted })
  await noteChange(context, before)
  return undefined
}

/** Hands one service out to a member who is named by address: nobody has to be seen in a list for it. */
export async function handOut(context: RequestContext<typeof users.handOut>): Promise<undefined> {
  const { db, params, input } = context
  const { serviceId, organizationId } = params
  const { accountId } = found(await findMember(db, { organizationId, email: input.email }))
  const before = await lockMember(db, { accountId, organizationId })
  if (before.services.some((one) => one.serviceId === serviceId)) throw new Problem(409, 'serviceAlreadyAdded')
  const wanted = [{ organizationId, serviceId, userRole: input.userRole }]
  await setAssignments(db, { accountId, present: [], wanted })
  await noteChange(context, before)
  return undefined
}

/** Takes one service back. */
export async function takeBack(context: RequestContext<typeof users.takeBack>): Promise<undefined> {
  const { db, params } = context
  const before = await lockMember(db, params)
  found(before.services.find((one) => one.serviceId === params.serviceId))
  await removeAssignment(db, params)
  await noteChange(context, before)
  return undefined
}
