import { builtInRoles, powersOverOthers, rolePermissions } from '#contract/organization-roles/role-permissions.ts'

const array = (names: readonly string[]) => `array[${names.map((name) => `'${name}'`).join(', ')}]`

/** What `server/schema/` leaves to the contract about roles and permissions, by the names there. */
export const roleLists: Readonly<Record<string, string>> = {
  everyPermission: array(rolePermissions),
  powersOverOthers: array(powersOverOthers),
  builtInRoles: Object.entries(builtInRoles)
    .map(([key, permissions]) => `when '${key}' then ${array(permissions)}`)
    .join('\n    '),
}
