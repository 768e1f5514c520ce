// The public interface of this room: what other screens show of the roles of services.
import * as field from './role-field.tsx'
import * as texts from './role-texts.ts'
import * as person from './roles-of-person.tsx'
import * as summary from './roles-summary.tsx'

/** Chooses one of the roles of an organisation's services. */
export const RoleField = field.RoleField
/** Whether any service of an organisation has roles; false without an organisation. */
export const useHasServiceRoles = field.useHasServiceRoles
/** The name of a role in the reader's language. */
export const useRoleName = texts.useRoleName
/** Likewise with the description. */
export const useRoleTexts = texts.useRoleTexts
/** A person's roles in those of their services that have roles; nothing where there are none. */
export const RolesOfPerson = person.RolesOfPerson
/** In the dialog of a service: how many roles it declares, and the way to them. */
export const RolesSummary = summary.RolesSummary
