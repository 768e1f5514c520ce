import * as z from 'zod/mini'
import { id, pageQuery } from '#contract/fields/fields.ts'
import { type BuiltInRole, builtInRoles } from '#contract/organization-roles/role-permissions.ts'
import { loginMethod } from '#contract/roles.ts'

/**
 * The states of a person in a list. `pending`: an open invitation; `awaitsSignIn`: accepted, but not signed in yet;
 * `emailRefused`, beside any of the others: mail servers refuse the address for good. `accessEnds` and `accessEnded`, likewise:
 * a membership, an admin role, a service or a role in one ends within `endingSoonDays`, or has ended. Of the pending ones `inviteFailed` are those
 * whose mail could not be sent, `inviteWaits` others that were sent more than `longWaitDays` ago.
 */
export const userStatuses = [
  'active',
  'pending',
  'inviteFailed',
  'inviteWaits',
  'awaitsSignIn',
  'passive',
  'emailRefused',
  'accessEnds',
  'accessEnded',
] as const
/** What ends within so many days is said beforehand. */
export const endingSoonDays = 14
/** After so many days without an answer somebody has to be asked again. */
export const longWaitDays = 7
export type UserStatusName = (typeof userStatuses)[number]

/** The roles with a name of the portal by which a list is filtered; the other ones are an organisation's own, by their id. */
const listedRoles = ['organizationAdmin', 'serviceAdmin', ...(Object.keys(builtInRoles) as BuiltInRole[])] as const

const common = {
  status: z.optional(z.enum(userStatuses)),
  /** Like `lastActiveBefore`, never matches people whose details the reader may not see. */
  loginMethod: z.optional(loginMethod),
  serviceId: z.optional(id),
  groupId: z.optional(id),
  /** A day in Sweden. People who were never active count from the day that their account was created. */
  lastActiveBefore: z.optional(z.iso.date()),
}

/** The filters of an organisation's list. */
export const organizationUserFilters = z.strictObject({
  ...common,
  role: z.optional(z.union([z.enum(listedRoles), id])),
})

/** The filters of the list of all users. */
export const allUserFilters = z.strictObject({
  ...common,
  role: z.optional(z.union([z.enum(['superUser', 'portalAuditor', 'portalReader', ...listedRoles]), id])),
  organizationId: z.optional(id),
})
export type UserFilters = z.infer<typeof allUserFilters>

export const userSorts = ['email', 'firstName', 'lastName'] as const

/** The query of the list of all users. */
export const allUsersQuery = z.extend(pageQuery(userSorts), allUserFilters.shape)
/** The query of an organisation's list. */
export const organizationUsersQuery = z.extend(pageQuery(userSorts), organizationUserFilters.shape)
