// The public interface of this room: how other rooms extend somebody's roles.
import * as extension from './extend-roles.ts'

/** A member's roles beside the admin role that end soon, each with why the actor may not extend it. */
export const listEndingGrants = extension.listEndingRoles

/** Extends those that the actor may give, with one event. Call it once the person is locked. @returns what there was */
export const extendGrants = extension.extendRoles
