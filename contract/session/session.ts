import * as z from 'zod/mini'
import { id, version } from '#contract/fields/fields.ts'
import { knownPeriod, knownRolePeriod } from '#contract/fields/period.ts'
import { rolePermission, scopedRole } from '#contract/organization-roles/role-permissions.ts'
import { portalRole } from '#contract/portal-roles.ts'
import { language, loginMethod, organizationRole, signInMethod } from '#contract/roles.ts'
import { route } from '#contract/route.ts'
import { secondFactorKind } from '#contract/second-factors.ts'

/** The signed-in user. Their own ssn is not masked. */
export const currentUser = z.object({
  accountId: id,
  firstName: z.nullable(z.string()),
  lastName: z.nullable(z.string()),
  email: z.string(),
  ssn: z.nullable(z.string()),
  /** Whether the number is proven; otherwise somebody entered it. Null without a number. */
  ssnConfirmed: z.nullable(z.boolean()),
  phoneNumber: z.nullable(z.string()),
  preferredLanguage: z.nullable(language),
  loginMethod,
  superUser: z.boolean(),
  /** Today's role in the portal, beside super user. */
  portalRole: z.nullable(portalRole),
  /** How this session was proven. */
  signedInWith: signInMethod,
  /** An admin chose the password, or it is older than an organisation allows: the user can do nothing else before changing it. */
  passwordMustChange: z.boolean(),
  /** A super user, or holder of a portal role, who must set up a second factor before anything else. */
  mustEnrol: z.boolean(),
  version,
})
export type CurrentUser = z.infer<typeof currentUser>

export const session = {
  me: route('GET /api/me', {
    summary: 'The person who is signed in',
    access: 'signedIn',
    beforePasswordChange: true,
    beforeEnrolment: true,
    answer: currentUser,
  }),
  expire: route('GET /api/session-expire', {
    summary: 'How long the session still lives; asking does not lengthen it, and without a session it is 0',
    access: 'public',
    answer: z.object({ secondsToLive: z.int() }),
  }),
}

/** A role beside the admin role. */
export const heldRole = z.object({
  /** A built-in role's key, or the id of one of the organisation's own. */
  role: z.string(),
  /** Null for a built-in one. */
  name: z.nullable(z.string()),
  permissions: z.array(rolePermission),
})
export type HeldRole = z.infer<typeof heldRole>

/** A role for a part of the organisation, by the id of its service or group. */
const scoped = z.object({ role: scopedRole, scopeId: id })

/** A user's membership of an organisation. */
export const membership = z.object({
  organizationId: id,
  name: z.string(),
  organizationNumber: z.nullable(z.string()),
  userRole: organizationRole,
  ...knownPeriod,
  ...knownRolePeriod,
  /** Missing without any. */
  roles: z.optional(z.array(heldRole)),
  /** Likewise. */
  scoped: z.optional(z.array(scoped)),
  /** Their first last day, and that of roles in services, for who reads the organisation's people; missing without any. */
  rolesUntil: z.optional(z.string()),
  /** The sign-in method that keeps the person out, because the account has no way to meet it. */
  cannotEnter: z.optional(loginMethod),
})
export type Membership = z.infer<typeof membership>

/** How an organisation looks to its people; null: as the portal. */
export const shownBrand = z.object({
  /** Degrees. */
  hue: z.nullable(z.int()),
  /** Addresses of images. */
  logo: z.nullable(z.string()),
  darkLogo: z.nullable(z.string()),
})
export type ShownBrand = z.infer<typeof shownBrand>

/** What an organisation may or may not use: it has groups, a review is open, a service can be requested. */
export const usedFeature = z.enum(['groups', 'accessReview', 'accessRequests'])
export type UsedFeature = z.infer<typeof usedFeature>

/** One of a person's own memberships. */
export const ownMembership = z.extend(membership, {
  brand: z.nullable(shownBrand),
  /**
   * The sign-in method that the organisation asks for beyond this session: nothing of it is in reach before. Null for
   * memberships of somebody else.
   */
  needs: z.nullable(loginMethod),
  /** The second factors that it takes, where it does not take each. */
  factors: z.optional(z.array(secondFactorKind)),
  /** Of what there is something in it, for who looks after its people: the menu leaves out the rest. */
  uses: z.optional(z.array(usedFeature)),
})
export type OwnMembership = z.infer<typeof ownMembership>
