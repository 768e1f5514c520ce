// The public interface of this room: what a user's page shows of these roles.
import * as more from './more-roles.tsx'

/** A person's roles beside the admin role, and the dialog that changes them. */
export const MoreRoles = more.MoreRoles
