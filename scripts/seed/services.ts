import type { Amounts, Sequence } from './amounts.ts'

const services = ({ services }: Amounts) => `
  insert into services (service_id, name, url)
  select pg_temp.seed_id(2, n), pg_temp.service_name(n), 'https://' || pg_temp.plain_service_name(n) || n || '.vestibule.example'
  from generate_series(1::bigint, ${services}) as n`

// Spread evenly over the first memberships; from one to the next the services of the organisation take turns.
const assignments = ({ users, organizations, services, assignments }: Amounts, each: number) => `
  insert into service_assignments (account_id, organization_id, service_id, user_role)
  select account_id, organization_id, ids[1 + (o * 7 + (n / ${organizations} + turn) % ${each}) % ${services}],
    case when n % 40 = 3 and turn = 0 then 'serviceAdmin' else 'regular' end
  from (select array_agg(pg_temp.seed_id(2, s) order by s) as ids from generate_series(1::bigint, ${services}) as s) as all_services,
    lateral (
      select n, 1 + n % ${organizations} as o, pg_temp.seed_id(3, n) as account_id, pg_temp.seed_id(1, 1 + n % ${organizations}) as organization_id
      from generate_series(0::bigint, ${users - 1}) as n offset 0) as person,
    lateral generate_series(0::bigint, ((n + 1) * ${assignments}) / ${users} - (n * ${assignments}) / ${users} - 1) as turn`

const offers = ({ organizations, services }: Amounts, each: number) => `
  insert into organization_services (organization_id, service_id, seats_used)
  select offered.organization_id, offered.service_id, coalesce(seats, 0)
  from (
    select pg_temp.seed_id(1, o) as organization_id, pg_temp.seed_id(2, 1 + (o * 7 + place) % ${services}) as service_id
    from generate_series(1::bigint, ${organizations}) as o, generate_series(0::bigint, ${each - 1}) as place offset 0
  ) as offered
    left join (select organization_id, service_id, count(*)::integer as seats from service_assignments group by 1, 2) as counted
      using (organization_id, service_id)`

// A group for each organisation. It gives a service to those who have it by hand, too: nobody waits for a seat.
const groups = ({ organizations }: Amounts) => `
  insert into groups (group_id, organization_id, name)
  select pg_temp.seed_id(6, o), pg_temp.seed_id(1, o), 'Grupp ' || o from generate_series(1::bigint, ${organizations}) as o`

const groupServices = ({ organizations, services }: Amounts) => `
  insert into group_services (group_id, organization_id, service_id)
  select pg_temp.seed_id(6, o), pg_temp.seed_id(1, o), pg_temp.seed_id(2, 1 + (o * 7) % ${services})
  from generate_series(1::bigint, ${organizations}) as o`

const groupMembers = ({ organizations, services }: Amounts) => `
  insert into group_members (group_id, organization_id, account_id)
  select group_id, organization_id, account_id
  from (
    select pg_temp.seed_id(6, o) as group_id, pg_temp.seed_id(1, o) as organization_id,
      pg_temp.seed_id(2, 1 + (o * 7) % ${services}) as service_id
    from generate_series(1::bigint, ${organizations}) as o offset 0) as given
    join service_assignments using (organization_id, service_id)
  where user_role = 'regular'`

/** The services, who has them, and the groups that give them. */
export const handOut = (amounts: Amounts, each: number): Sequence => [
  { table: 'service_assignments', statement: assignments(amounts, each) },
  { table: 'services', statement: services(amounts) },
  { table: 'organization_services', statement: offers(amounts, each) },
  { table: 'groups', statement: groups(amounts) },
  { table: 'group_services', statement: groupServices(amounts) },
  { table: 'group_members', statement: groupMembers(amounts) },
]
