import type { Actor } from '#contract/actor.ts'
import { can, type Permission } from '#contract/permissions.ts'
import { isOfMachine, type Route } from '#contract/route.ts'
import { Problem } from '../problem.ts'
import type { Directory, Machine, Session } from '../system.ts'

/**
 * Checks whether the user may call this route at all, whatever its target.
 *
 * @throws Problem 401 without a session, 403 for a role that never has access, or only in a stronger session
 */
export function checkAccess(route: Route, session: Session | undefined, machine?: Machine | Directory): void {
  if (route.access === 'public') return
  if (isOfMachine(route.access)) {
    if (!machine) throw new Problem(401, 'accessTokenInvalid')
    return
  }
  if (!session) throw new Problem(401, 'signInRequired')
  if (session.user.passwordMustChange && !route.beforePasswordChange) throw new Problem(403, 'passwordMustChange')
  if (session.user.mustEnrol && !route.beforeEnrolment) throw new Problem(403, 'secondFactorRequired')
  if (route.access === 'signedIn' || can(session.actor, route.access)) return
  throw new Problem(403, can(withHeldBack(session), route.access) ? 'strongerSignInRequired' : 'forbidden')
}

/** The same person in a session that reaches all of their organisations. */
const withHeldBack = ({ actor, heldBack }: Session): Actor => ({
  ...actor,
  organizations: [...actor.organizations, ...heldBack.organizations],
  services: [...actor.services, ...heldBack.services],
})

/**
 * Checks access to the target that a request names.
 *
 * @throws Problem 403 for an own organisation that asks for a stronger sign-in; like `checkTarget` otherwise
 */
export function checkNamedTarget(session: Session | undefined, name: Permission, target: unknown): void {
  const isHeldBack = session && !can(session.actor, name, target as never)
  // The request itself names the target, so 403 reveals nothing. A target that the handler has to load stays a 404.
  if (isHeldBack && can(withHeldBack(session), name, target as never)) throw new Problem(403, 'strongerSignInRequired')
  checkTarget(session?.actor, name, target)
}

/**
 * Checks the actor's access to the target.
 *
 * @throws Problem 404 without access, exactly as for a missing target
 */
export function checkTarget(actor: Actor | undefined, name: Permission, target: unknown): void {
  if (!actor || !can(actor, name, target as never)) throw new Problem(404, 'notFound')
}

/**
 * The access checks of a handler on what it loads. Also tracks whether it has checked the permission of its route, and asked
 * for the proof.
 *
 * @param onGranted runs when the declared permission was checked and granted
 */
export function createAccessChecks(
  route: Route,
  session: Session | undefined,
  { isFresh = false, onGranted = () => undefined }: { isFresh?: boolean; onGranted?: () => void } = {},
) {
  let checked = route.target !== 'loaded'
  let proofChecked = route.freshProof !== 'loaded'
  const markChecked = (name: Permission) => {
    if (name !== route.access) return
    checked = true
    onGranted()
  }
  return {
    allow(name: Permission, target: never): void {
      checkTarget(session?.actor, name, target)
      markChecked(name)
    },
    require(name: Permission, target: never): void {
      if (!session || !can(session.actor, name, target)) throw new Problem(403, 'forbidden')
      markChecked(name)
    },
    requireFreshProof(isDangerous: boolean): void {
      proofChecked = true
      if (isDangerous && !isFresh) throw new Problem(403, 'freshProofRequired')
    },
    /** @throws Error (a bug, 500) when the handler did not check the declared permission, or did not say whether it needs a proof */
    assertChecked(): void {
      if (!proofChecked) throw new Error(`${route.method} ${route.url} responded without asking for a fresh proof`)
      if (!checked) throw new Error(`${route.method} ${route.url} responded without checking ${route.access}`)
    },
  }
}
