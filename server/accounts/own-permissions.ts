import { type Actor, ownsService, type PersonTarget } from '#contract/actor.ts'
import { holdsNoMore } from '#contract/organization-roles/holds-no-more.ts'
import type { RolePermission } from '#contract/organization-roles/role-permissions.ts'
import { can } from '#contract/permissions.ts'
import type { Db } from '#server/platform/database/database.ts'
import { Problem } from '#server/platform/problem.ts'
import { findHeldUntil, lockScopedUntil } from './own-permissions.repository.ts'

interface Given {
  organizationId: string
  permissions: readonly RolePermission[]
  /** Where it is about one service there: its owner holds it, too. */
  serviceId?: string | undefined
  /** The last day of what is given; null: without an end. Left out where nothing is given for longer than before. */
  until?: string | null | undefined
}

/** Why somebody may not give this, change it or take it: they do not hold it themselves, today or for as long. */
export async function whyNotGive(
  db: Db,
  actor: Actor,
  given: Given,
): Promise<'moreThanOwn' | 'longerThanOwn' | undefined> {
  const { organizationId, permissions, serviceId, until } = given
  if (can(actor, 'manageUsers') || permissions.length === 0) return undefined
  const place = { accountId: actor.accountId, organizationId }
  const held = await findHeldUntil(db, place, permissions)
  const owned = serviceId && (await lockScopedUntil(db, place, { role: 'serviceOwner', scopeId: serviceId }))
  const own = longer(held, owned || undefined)
  if (!own) return 'moreThanOwn'
  if (until === undefined || own.until === null) return undefined
  return until === null || until > own.until ? 'longerThanOwn' : undefined
}

/**
 * Nobody gives, changes or takes what they do not hold themselves, today and for as long. Every road that gives a role asks
 * here, in the transaction of the change.
 *
 * @throws Problem 403 `moreThanOwn` or `longerThanOwn`
 */
export async function refuseMoreThanOwn(db: Db, actor: Actor, given: Given): Promise<void> {
  const reason = await whyNotGive(db, actor, given)
  if (reason) throw new Problem(403, reason)
}

/**
 * Who is responsible for a service, and hands it out by that alone, gives themselves neither the service nor more of it: that
 * would outlive the role.
 *
 * @throws Problem 403 `ownAccount`
 */
export function refuseOwnService(
  actor: Actor,
  accountId: string,
  service: { organizationId: string; serviceId: string },
): void {
  const isOwn = actor.accountId === accountId && ownsService(actor, service)
  if (isOwn && !can(actor, 'assignServices', service)) throw new Problem(403, 'ownAccount')
}

type Until = { until: string | null } | undefined
const longer = (one: Until, other: Until): Until => {
  if (!one || !other) return one ?? other
  return one.until === null || (other.until !== null && one.until > other.until) ? one : other
}

/**
 * Nobody ends the membership of somebody who may do more there.
 *
 * @throws Problem 403 `moreThanOwn`
 */
export function refuseAbove(
  actor: Actor,
  person: Pick<PersonTarget, 'accountId' | 'organizations' | 'services'>,
  organizationId: string,
): void {
  if (!can(actor, 'manageUsers') && !holdsNoMore(actor, person, { organizationId }))
    throw new Problem(403, 'moreThanOwn')
}
