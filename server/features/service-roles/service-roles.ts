// The public interface of this room: how other rooms give people a role of a service.
import * as holders from './holders.repository.ts'
import * as repository from './service-roles.repository.ts'
import * as roles from './set-roles.ts'

/** Sets somebody's roles in a service, with one audit event where something changes. */
export const setRoles = roles.setRoles

/** The roles of an organisation's services. */
export const listOfferedRoles = repository.listOfferedRoles

/** The roles with a last day until some day, of some members of an organisation. */
export const listEndingRoles = holders.listEndingRoles

/** The keys of the roles of some people and invitations, by service. */
export const listRoleKeys = holders.listRoleKeys

/** Those of some people and invitations who have a role, or are promised it. */
export const findHoldersAmong = holders.findHoldersAmong
