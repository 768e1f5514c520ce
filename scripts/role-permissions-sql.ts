import { builtInRoles, powersOverOthers, rolePermissions } from '#contract/organization-roles/role-permissions.ts'

const begin =
  '-- Written by `npm run schema` from contract/organization-roles/role-permissions.ts, until the next line that says so.\n'
const end = '-- Written until here.\n'

const array = (names: readonly string[]) => `array[${names.map((name) => `'${name}'`).join(', ')}]`

const rolesInSql = (): string => `create function every_permission() returns text[] language sql immutable parallel safe
  return ${array(rolePermissions)};
comment on function every_permission is 'What an organisation''s admin may.';
create function built_in_permissions(role_key text) returns text[] language sql immutable parallel safe
  return case role_key
${Object.entries(builtInRoles)
  .map(([key, permissions]) => `    when '${key}' then ${array(permissions)}\n`)
  .join('')}  end;
create function powers_over_others() returns text[] language sql immutable parallel safe
  return ${array(powersOverOthers)};
comment on function powers_over_others is 'The holder of one of these decides what others may. A directory never gives them.';
`

/** `roles.sql` with the permissions and built-in roles of the contract. @throws without its two lines */
export function withRolesOfContract(schema: string): string {
  const [start, stop] = [schema.indexOf(begin), schema.indexOf(end)]
  if (start < 0 || stop < start) throw new Error('roles.sql does not say where the roles of the contract stand')
  return schema.slice(0, start + begin.length) + rolesInSql() + schema.slice(stop)
}
