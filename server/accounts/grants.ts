import type { Actor } from '#contract/actor.ts'
import { can } from '#contract/permissions.ts'
import type { AuditEntry } from '#server/platform/audit/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { found, Problem } from '#server/platform/problem.ts'
import { endGrants, type Grant, giveGrants, listGrants, type Place } from './grants.repository.ts'
import { keepingAnAdmin } from './keep-an-admin.ts'
import { type Extension, isNear, type NearEnd } from './near-ends.ts'
import { lockAdmins } from './own-permissions.repository.ts'
import { refuseMoreThanOwn, whyNotGive } from './own-permissions.ts'
import { lockUser } from './stored-user.repository.ts'
import { labelled, periodText } from './user-audit.ts'

interface Context {
  db: Db
  actor: Actor
  audit: (entry: AuditEntry) => void
}

/** Of whom, and where: of a part, its roles alone; with null, those of the whole organisation. */
type ScopedPlace = Place & Pick<Grant, 'scopeId'>

/**
 * Gives, ends and extends the roles that people have given a member, in the whole organisation or for a part of it: one event
 * where something changes. To give, change or take a role, a person must hold what it allows, and who gives it holds it for as
 * long.
 *
 * @param plan the roles afterwards, from those of before
 * @throws Problem 403 `ownAccount`, `moreThanOwn` or `longerThanOwn`, 409 `lastAdminStays`
 */
export async function changeGrants(
  { db, actor, audit }: Context,
  place: ScopedPlace,
  plan: (before: readonly Grant[]) => readonly Grant[] | Promise<readonly Grant[]>,
): Promise<void> {
  const { accountId, organizationId, scopeId } = place
  // In this order, as every change of a person.
  const user = found(await lockUser(db, accountId))
  await lockAdmins(db, organizationId)
  const membership = found(user.organizations.find((one) => one.organizationId === organizationId))
  const before = await listGrants(db, place, { byHand: true, scopeId })
  const after = await plan(before)
  const given = after.filter((one) => !before.some((had) => isSame(had, one)))
  const taken = before.filter((had) => !after.some((one) => isSame(had, one)))
  if (given.length + taken.length === 0) return
  const isOwn = actor.accountId === accountId && !can(actor, 'manageUsers')
  for (const one of given) {
    const had = before.find(({ role }) => role === one.role)
    // Somebody responsible for a part never sets their own days of it.
    if (isOwn && (scopeId !== null || isMore(had, one))) throw new Problem(403, 'ownAccount')
    await refuseMoreThanOwn(db, actor, { organizationId, permissions: one.permissions, until: one.validUntil })
  }
  for (const { permissions } of taken) await refuseMoreThanOwn(db, actor, { organizationId, permissions })
  await keepingAnAdmin(db, actor, organizationId, async () => {
    await endGrants(
      db,
      place,
      taken.filter((had) => !after.some(({ role }) => role === had.role)),
    )
    await giveGrants(db, place, given, actor.accountId)
  })
  audit({
    name: 'updateUserRoles',
    target: labelled(user),
    before: { roles: textOf(before) },
    after: { roles: textOf(after), organization: membership.name },
    organizationIds: [organizationId],
  })
}

/** A member's roles beside the admin role that end soon, each with why the actor may not extend it. */
export async function listEndingGrants(
  { db, actor }: Omit<Context, 'audit'>,
  place: Place,
  days: Extension,
): Promise<(NearEnd & Grant)[]> {
  const { accountId, organizationId } = place
  const isOwn = actor.accountId === accountId && !can(actor, 'manageUsers')
  const ending: (NearEnd & Grant)[] = []
  for (const one of (await listGrants(db, place, { byHand: true })).filter((grant) => isNear(grant, days)))
    ending.push({ ...one, stays: await whyStays(one) })
  return ending

  async function whyStays({ scopeId, permissions }: Grant) {
    if (scopeId === null && !can(actor, 'giveRoles', { organizationId })) return 'moreThanOwn'
    if (isOwn) return 'ownAccount'
    return whyNotGive(db, actor, { organizationId, permissions, until: days.until })
  }
}

/**
 * Extends those that the actor may give, with one event for the organisation and one for each part. Call it once the person is
 * locked.
 *
 * @returns what there was
 */
export async function extendGrants(context: Context, place: Place, days: Extension): Promise<NearEnd[]> {
  const ending = await listEndingGrants(context, place, days)
  const extended = ending.filter(({ stays }) => !stays)
  for (const [scopeId, there] of Map.groupBy(extended, (one) => one.scopeId))
    await changeGrants(context, { ...place, scopeId }, (before) =>
      before.map((one) => (there.some(({ role }) => role === one.role) ? { ...one, validUntil: days.until } : one)),
    )
  return ending
}

const isSame = (one: Grant, other: Grant) =>
  one.role === other.role && one.validFrom === other.validFrom && one.validUntil === other.validUntil

/** Whether a role is new, begins earlier or ends later. */
const isMore = (had: Grant | undefined, one: Grant) =>
  !had ||
  (had.validUntil !== null && (one.validUntil === null || one.validUntil > had.validUntil)) ||
  (had.validFrom !== null && (one.validFrom === null || one.validFrom < had.validFrom))

/** Such as "Reader [readPeople] 2026-11-01 –; helpDesk [helpPeople]", or "groupAdmin [Ward 3]". */
const textOf = (grants: readonly Grant[]) =>
  grants
    .map(({ role, scopeId, name, permissions, validFrom, validUntil }) => {
      const what = scopeId === null ? `${name ?? role} [${permissions.join(', ')}]` : `${role} [${name}]`
      return [what, periodText(validFrom, validUntil)].filter(Boolean).join(' ')
    })
    .join('; ')
