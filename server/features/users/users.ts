// The public interface of this room: how other rooms give people a service.
import * as leave from './leave-organization.ts'
import * as services from './set-services.ts'
import * as taken from './take-back-services.ts'
import * as filters from './user-filters.repository.ts'
import * as visible from './visible-user.ts'

/**
 * Assigns a service to a member, with one audit event. The caller has checked that the actor may.
 *
 * @throws Problem 409 `serviceAlreadyAdded` or `noSeatsLeft`, 404 for somebody who is no member
 */
export const giveService = services.giveService

/** Selects the people of whom something ends soon, or has ended, as the lists do. */
export const ending = filters.ending

/** Removes services from a member, with one audit event. */
export const withdrawServices = taken.withdrawServices

/** Ends somebody's membership with the services there, with one event. The caller has locked the person. */
export const endMembership = leave.endMembership

/** Somebody as the target of a permission. */
export const targetOf = visible.targetOf
