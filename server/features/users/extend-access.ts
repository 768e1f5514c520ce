import { can } from '#contract/permissions.ts'
import type { bulkUsers } from '#contract/users/bulk-users.ts'
import { endingSoonDays } from '#contract/users/user-filters.ts'
import type { users } from '#contract/users/users.ts'
import { extendGrants, listEndingGrants } from '#server/accounts/grants.ts'
import { type Extension, isNear, type NearEnd } from '#server/accounts/near-ends.ts'
import { findUser, lockUser, type StoredUser } from '#server/accounts/stored-user.repository.ts'
import { canExtendInGroup, extendInGroups, listEndingInGroups } from '#server/features/groups/groups.ts'
import { listEndingRoles, setRoles } from '#server/features/service-roles/service-roles.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { found } from '#server/platform/problem.ts'
import { hasRole } from './admin-roles.ts'
import { forEachPerson } from './for-each-person.ts'
import { setServices } from './set-services.ts'
import { findExtension } from './users.repository.ts'

/** Extends what ends soon, or has ended, of a selection of people, each by the use case of a single one. */
export async function extendAccess(context: RequestContext<typeof bulkUsers.extend>) {
  const { db, params, input } = context
  const organizationId = params.id
  const { soon, defaultEnd } = found(await findExtension(db, organizationId, endingSoonDays))
  const days = { soon, until: input.validUntil ?? defaultEnd }
  const stored = new Map<string, StoredUser | undefined>()
  for (const accountId of input.accountIds) stored.set(accountId, await findUser(db, accountId))
  const roles = Map.groupBy(
    await listEndingRoles(db, { organizationId, soon }, input.accountIds),
    ({ accountId }) => accountId,
  )
  const mayExtendInGroups = can(context.actor, 'manageGroups', { organizationId })
  const inGroups = Map.groupBy(
    await listEndingInGroups(db, { organizationId, soon }, input.accountIds),
    ({ accountId }) => accountId,
  )
  const hasEndingGroup = (accountId: string) =>
    mayExtendInGroups && inGroups.get(accountId)?.some((one) => canExtendInGroup(one, days.until))
  const hasEndingRole = (accountId: string) => roles.get(accountId)?.some((one) => isNear(one, days))
  const extensionOf = (accountId: string) => {
    const user = stored.get(accountId)
    return user && extended(user, organizationId, days)
  }
  const further = new Map<string, readonly NearEnd[]>()
  for (const accountId of input.accountIds)
    further.set(accountId, await listEndingGrants(context, { accountId, organizationId }, days))
  const givesRole = (accountId: string) => further.get(accountId)?.some(({ stays }) => !stays) ?? false
  const whyStays = (accountId: string) => further.get(accountId)?.find(({ stays }) => stays)?.stays
  const isOfPower = (accountId: string) => extensionOf(accountId)?.isOfAdmin || givesRole(accountId)
  context.requireFreshProof(!input.dryRun && input.accountIds.some(isOfPower))
  return forEachPerson(context, {
    organizationId,
    skip: ({ accountId, invited }) =>
      invited
        ? 'bulkInvited'
        : extensionOf(accountId)?.differs ||
            hasEndingRole(accountId) ||
            hasEndingGroup(accountId) ||
            givesRole(accountId)
          ? undefined
          : (whyStays(accountId) ??
            (inGroups.get(accountId)?.some(({ validUntil }) => validUntil < days.until)
              ? 'bulkEndsWithGroup'
              : 'bulkEndsLater')),
    stays: ({ accountId }) => whyStays(accountId),
    change: ({ accountId }) =>
      context.transact(async (trx, audit) => {
        if (mayExtendInGroups) await extendInGroups({ db: trx as Db, audit }, { organizationId, accountId }, days)
        // As it is now, and stays: somebody else may have extended it, or taken a service back.
        const { terms } = extended(found(await lockUser(trx as Db, accountId)), organizationId, days)
        const params = { userId: accountId, organizationId }
        const request = { ...context, db: trx, audit, params, query: {}, input: terms }
        await setServices(request as unknown as RequestContext<typeof users.setServices>)
        const within = { ...context, db: trx as Db, audit }
        await extendRoles(within, params, days)
        further.set(accountId, await extendGrants(within, { accountId, organizationId }, days))
        context.requireFreshProof(givesRole(accountId))
      }),
  })
}

/** The roles in services, which have days of their own. */
async function extendRoles(
  context: Parameters<typeof setRoles>[0] & Pick<RequestContext, 'require'>,
  { userId, organizationId }: { userId: string; organizationId: string },
  days: Extension,
): Promise<void> {
  const ending = await listEndingRoles(context.db, { organizationId, soon: days.soon }, [userId])
  const near = ending.filter((one) => isNear(one, days))
  for (const [serviceId, own] of Map.groupBy(near, (one) => one.serviceId)) {
    context.require('handOutService', { organizationId, serviceId })
    const periods = new Map(own.map(({ roleId }) => [roleId, { validUntil: days.until }]))
    await setRoles(context, { userId, organizationId, serviceId }, (present) => present, periods)
  }
}

/** What a person has in the organisation, with later ends. */
function extended(user: StoredUser, organizationId: string, days: Extension) {
  const later = (day: string | null | undefined) => (isNear({ validUntil: day ?? null }, days) ? days.until : undefined)
  const membership = user.organizations.find((one) => one.organizationId === organizationId)
  const own = user.services.filter((one) => one.organizationId === organizationId)
  const ends = { validUntil: later(membership?.validUntil), roleUntil: later(membership?.roleUntil) }
  const services = own.map(({ serviceId, userRole, validUntil }) => ({
    ...{ serviceId, userRole },
    validUntil: later(validUntil),
  }))
  const servicesDiffer = services.filter(({ validUntil }) => validUntil !== undefined)
  return {
    terms: { ...ends, services },
    differs: Object.values(ends).some((day) => day !== undefined) || servicesDiffer.length > 0,
    isOfAdmin:
      (membership !== undefined && hasRole(membership)) ||
      servicesDiffer.some(({ userRole }) => userRole === 'serviceAdmin'),
  }
}
