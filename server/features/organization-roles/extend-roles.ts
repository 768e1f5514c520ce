import { can } from '#contract/permissions.ts'
import { listGrants } from '#server/accounts/grants.repository.ts'
import { type Extension, isNear, type NearEnd } from '#server/accounts/near-ends.ts'
import { whyNotGive } from '#server/accounts/own-permissions.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { setRoles } from './set-roles.ts'

type Context = Pick<RequestContext, 'db' | 'actor' | 'audit'>

/** A member's roles beside the admin role that end soon, each with why the actor may not extend it. */
export async function listEndingRoles(
  { db, actor }: Pick<Context, 'db' | 'actor'>,
  { accountId, organizationId }: { accountId: string; organizationId: string },
  days: Extension,
): Promise<(NearEnd & { role: string })[]> {
  const grants = await listGrants(db, { accountId, organizationId }, { byHand: true })
  const ending: (NearEnd & { role: string })[] = []
  for (const { role, permissions, validUntil } of grants.filter((one) => isNear(one, days)))
    ending.push({ role, validUntil, stays: await whyStays(permissions) })
  return ending

  async function whyStays(permissions: (typeof grants)[number]['permissions']) {
    if (!can(actor, 'giveRoles', { organizationId })) return 'moreThanOwn'
    if (actor.accountId === accountId && !can(actor, 'manageUsers')) return 'ownAccount'
    return whyNotGive(db, actor, { organizationId, permissions, until: days.until })
  }
}

/** Extends those that the actor may give, with one event. Call it once the person is locked. @returns what there was */
export async function extendRoles(
  context: Context,
  place: { accountId: string; organizationId: string },
  days: Extension,
): Promise<NearEnd[]> {
  const ending = await listEndingRoles(context, place, days)
  const given = ending.filter(({ stays }) => !stays).map(({ role }) => role)
  if (given.length === 0) return ending
  const grants = await listGrants(context.db, place, { byHand: true })
  const roles = grants.map(({ role, validFrom, validUntil }) => ({
    ...{ role, validFrom },
    validUntil: given.includes(role) ? days.until : validUntil,
  }))
  const params = { userId: place.accountId, organizationId: place.organizationId }
  await setRoles({ ...context, params, input: { roles } })
  return ending
}
