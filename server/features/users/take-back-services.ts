import type { users } from '#contract/users/users.ts'
import { takeBackService } from '#server/accounts/group-access.ts'
import { leaveGroupsThatGive } from '#server/accounts/groups.repository.ts'
import { endWithdrawnAccess } from '#server/oidc/logout/withdrawn-access.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { found, Problem } from '#server/platform/problem.ts'
import { lockMember, recordChange } from './set-services.ts'

/**
 * Removes services from a member who has them, with one audit event: what the person has by groups, too, which takes them out
 * of these. The caller has checked that the actor may.
 */
export async function withdrawServices(
  context: Pick<RequestContext, 'db' | 'audit'>,
  { serviceIds, ...place }: { accountId: string; organizationId: string; serviceIds: readonly string[] },
): Promise<void> {
  const before = await lockMember(context.db, place)
  const groups = await leaveGroupsThatGive(context.db, place, serviceIds)
  for (const serviceId of serviceIds) await takeBackService(context.db, { ...place, serviceId })
  await endWithdrawnAccess(context.db, place.accountId)
  await recordChange(context, before, { groups })
}

/** Removes one service from a member. */
export async function revokeService(context: RequestContext<typeof users.revokeService>): Promise<undefined> {
  const { db, params } = context
  const before = await lockMember(db, params)
  const service = found(before.services.find((one) => one.serviceId === params.serviceId))
  const { userRole } = service
  context.requireFreshProof(userRole === 'serviceAdmin')
  if (service.source === null) throw new Problem(409, 'serviceComesByGroup')
  if (userRole === 'serviceAdmin') context.require('appointServiceAdmins', params)
  await takeBackService(db, params)
  await endWithdrawnAccess(db, params.accountId)
  await recordChange(context, before)
  return undefined
}
