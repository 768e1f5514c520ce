import type pg from 'pg'

// Of the largest organisation, its own. The permissions differ from role to role, and every one sees people.
const ownRoles = `
  insert into organization_roles (role_id, organization_id, name, permissions)
  select pg_temp.seed_id(5, n), pg_temp.seed_id(1, 1), 'Roll ' || n,
    array(select p from unnest(every_permission()) with ordinality as list (p, place) where p = 'readPeople' or (n + place) % 5 = 0)
  from generate_series(1::bigint, 50) as n`

// Every twentieth person has a built-in role in their first organisation.
const builtInGrants = `
  insert into role_grants (account_id, organization_id, role_key)
  select pg_temp.seed_id(3, n), pg_temp.seed_id(1, 1 + n % $2),
    pg_temp.pick(array['reader', 'auditor', 'helpDesk', 'personnelAdministrator'], n / 20)
  from generate_series(0::bigint, $1 - 1) as n where n % 20 = 11 and n >= $2`

const ownGrants = `
  insert into role_grants (account_id, organization_id, role_id)
  select account_id, organization_id, pg_temp.seed_id(5, 1 + row_number() over (order by account_id) % 50)
  from memberships where organization_id = pg_temp.seed_id(1, 1)`

// One for each organisation. It gives a service to those who have it by hand, too: nobody waits for a seat.
const groups = `
  insert into groups (group_id, organization_id, name)
  select pg_temp.seed_id(6, o), pg_temp.seed_id(1, o), 'Grupp ' || o from generate_series(1::bigint, $1) as o`

const groupServices = `
  insert into group_services (group_id, organization_id, service_id)
  select pg_temp.seed_id(6, o), pg_temp.seed_id(1, o), pg_temp.seed_id(2, 1 + (o * 7) % $2)
  from generate_series(1::bigint, $1) as o`

const groupMembers = `
  insert into group_members (group_id, organization_id, account_id)
  select group_id, organization_id, account_id
  from generate_series(1::bigint, $1) as o, lateral (select pg_temp.seed_id(6, o)) as seeded (group_id)
    join group_services using (group_id) join service_assignments using (organization_id, service_id)
  where user_role = 'regular'`

/** Adds what people, organisations, services and assignments are there for. */
export async function addRolesAndGroups(
  client: pg.Client,
  { users, organizations, services }: { users: number; organizations: number; services: number },
): Promise<void> {
  await client.query(ownRoles)
  await client.query(builtInGrants, [users, organizations])
  await client.query(ownGrants)
  await client.query(groups, [organizations])
  await client.query(groupServices, [organizations, services])
  await client.query(groupMembers, [organizations])
}
