import type { Amounts, Sequence } from './amounts.ts'

// Of the largest organisation, its own. The permissions differ from role to role, and every one sees people.
const ownRoles = `
  insert into organization_roles (role_id, organization_id, name, permissions)
  select pg_temp.seed_id(5, n), pg_temp.seed_id(1, 1), 'Roll ' || n,
    array(select p from unnest(every_permission()) with ordinality as list (p, place) where p = 'readPeople' or (n + place) % 5 = 0)
  from generate_series(1::bigint, 50) as n`

// Every twentieth person has a built-in role in their first organisation.
const builtInGrants = ({ users, organizations }: Amounts) => `
  insert into all_grants (account_id, organization_id, role_key)
  select pg_temp.seed_id(3, n), pg_temp.seed_id(1, 1 + n % ${organizations}),
    (array['reader', 'auditor', 'helpDesk', 'personnelAdministrator'])[1 + (n / 20) % 4]
  from generate_series(0::bigint, ${users - 1}) as n where n % 20 = 11 and n >= ${organizations}`

const ownGrants = `
  insert into all_grants (account_id, organization_id, role_id)
  select account_id, organization_id, pg_temp.seed_id(5, 1 + row_number() over (order by account_id) % 50)
  from memberships where organization_id = pg_temp.seed_id(1, 1)`

/** The roles that people have. */
export const rolesOfMembers = (amounts: Amounts): Sequence => [
  { table: 'all_grants', statement: builtInGrants(amounts) },
  { table: 'all_grants', statement: ownGrants },
]

/** The roles that an organisation has of its own. */
export const rolesOfOrganizations: Sequence = [{ table: 'organization_roles', statement: ownRoles }]
