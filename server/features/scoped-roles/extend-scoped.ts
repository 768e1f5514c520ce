import { scopedNeeds } from '#contract/organization-roles/role-permissions.ts'
import { can } from '#contract/permissions.ts'
import { type Extension, isNear, type NearEnd } from '#server/accounts/near-ends.ts'
import { whyNotGive } from '#server/accounts/own-permissions.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { name } from './scoped-roles.handlers.ts'
import { listScopes, type Named } from './scoped-roles.repository.ts'

type Context = Pick<RequestContext, 'db' | 'actor' | 'audit'>
interface Place {
  accountId: string
  organizationId: string
}

/** A member's roles for parts of an organisation that end soon, each with why the actor may not extend it. */
export async function listEndingScoped(
  { db, actor }: Pick<Context, 'db' | 'actor'>,
  { accountId, organizationId }: Place,
  days: Extension,
): Promise<(NearEnd & Named & { email: string })[]> {
  const isOwn = actor.accountId === accountId && !can(actor, 'manageUsers')
  const ending: (NearEnd & Named & { email: string })[] = []
  for (const one of (await listScopes(db, { accountId, organizationId })).filter((scope) => isNear(scope, days))) {
    const given = { organizationId, permissions: scopedNeeds[one.role], until: days.until }
    ending.push({ ...one, stays: isOwn ? 'ownAccount' : await whyNotGive(db, actor, given) })
  }
  return ending
}

/** Extends those that the actor may give, with an event for each. Call it once the person is locked. @returns what there was */
export async function extendScoped(context: Context, place: Place, days: Extension): Promise<NearEnd[]> {
  const ending = await listEndingScoped(context, place, days)
  for (const { stays, email, validUntil: _, ...scope } of ending)
    if (!stays) await name(context, scope, { email, validUntil: days.until })
  return ending
}
