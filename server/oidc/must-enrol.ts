import { asksForTwo, isLocal } from '#contract/login-methods.ts'
import type { LoginMethod } from '#contract/roles.ts'
import type { System } from '#server/platform/system.ts'

/** What decides whether an account chooses a second factor before anything else. */
export interface EnrolmentFacts {
  superUser: boolean
  portalRole: string | null
  operatesSince: Date | null
  loginMethod: LoginMethod
  usualFactor: string | null
  /** The second factors were taken off. */
  wasHelped: boolean
}

/** Days in which a new super user, or holder of a portal role, may still work with a password alone, in production. */
const graceDays = 7

/**
 * Whether somebody must set up a second factor first, in the portal and on the way to a service: after theirs were taken off, and
 * super users and holders of a portal role (product-rules 5).
 */
export function mustEnrol(
  { production }: Pick<System['config'], 'production'>,
  row: EnrolmentFacts,
  now: Date,
): boolean {
  const { superUser, portalRole, operatesSince, loginMethod, usualFactor, wasHelped } = row
  if (wasHelped && isLocal(loginMethod)) return true
  const isConcerned =
    production &&
    (superUser || portalRole !== null) &&
    isLocal(loginMethod) &&
    !asksForTwo(loginMethod) &&
    usualFactor === null
  return isConcerned && (operatesSince === null || now.getTime() - operatesSince.getTime() >= graceDays * 86_400_000)
}
