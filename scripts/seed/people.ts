import type pg from 'pg'
import { addRolesAndGroups } from './roles-and-groups.ts'

/** How much to add. */
export interface Amounts {
  users: number
  organizations: number
  services: number
  assignments: number
}

/** The words that names are made of, all from the demo. */
export interface Words {
  firstNames: readonly string[]
  lastNames: readonly string[]
  organizations: readonly string[]
  services: readonly string[]
}

/**
 * Deterministic ids (UUIDv7) computed from a number, so that no row has to be looked up. Temporary functions, which end
 * with the connection.
 */
const functions = `
  create function pg_temp.seed_id(kind integer, n bigint) returns uuid language sql immutable parallel safe as $$
    select (lpad(to_hex(1767225600000 + n), 12, '0') || '7' || lpad(to_hex(kind), 3, '0') || '8' ||
      substr(md5(kind || ' ' || n), 1, 15))::uuid $$;
  create function pg_temp.pick(words text[], n bigint) returns text language sql immutable parallel safe as $$
    select words[1 + (n % cardinality(words))::integer] $$;
  create function pg_temp.plain(word text) returns text language sql immutable parallel safe as $$
    select regexp_replace(lower(normalize(word, NFD)), '[^a-z]', '', 'g') $$`

const organizations = `
  insert into organizations (organization_id, name, organization_number, login_method)
  select pg_temp.seed_id(1, n), pg_temp.pick($2, n) || ' ' || n, '556' || lpad((n / 10000)::text, 3, '0') || '-' || lpad((n % 10000)::text, 4, '0'),
    'local'
  from generate_series(1::bigint, $1) as n`

const services = `
  insert into services (service_id, name, url)
  select pg_temp.seed_id(2, n), pg_temp.pick($2, n) || ' ' || n,
    'https://' || pg_temp.plain(pg_temp.pick($2, n)) || n || '.vestibule.example'
  from generate_series(1::bigint, $1) as n`

const offers = `
  insert into organization_services (organization_id, service_id)
  select pg_temp.seed_id(1, o), pg_temp.seed_id(2, 1 + (o * 7 + place) % $2)
  from generate_series(1::bigint, $1) as o, generate_series(0::bigint, $3 - 1) as place`

// One in ninety is passive. Every organisation's first person is its admin, with the
// password of the demo.
const users = `
  insert into users (account_id, email, first_name, last_name, login_method, passive_at, last_login, last_active,
    email_proof, email_proven_at, password_hash)
  select pg_temp.seed_id(3, n), pg_temp.plain(first_name) || '.' || pg_temp.plain(last_name) || n || '@' ||
      pg_temp.plain(pg_temp.pick($4, 1 + n % $5)) || (1 + n % $5) || '.example',
    first_name, last_name, 'local', case when n % 90 = 89 then now() end, seen, seen,
    'mailedLink', seen, case when n < $5 then (select password_hash from users where email = 'super@vestibule.example') end
  from generate_series(0::bigint, $1 - 1) as n,
    lateral (select pg_temp.pick($2, n + n / 131), pg_temp.pick($3, n * 2654435761 / 1000)) as names (first_name, last_name),
    lateral (select now() - make_interval(hours => (n % 3600)::integer)) as past (seen)`

// For every hundred people there is one invitation, with a service.
const invitations = `
  insert into invitations (invitation_id, organization_id, email, first_name, last_name, expires_at)
  select pg_temp.seed_id(4, n), pg_temp.seed_id(1, 1 + n % $4),
    pg_temp.plain(first_name) || '.' || pg_temp.plain(last_name) || '.invited' || n || '@example.com',
    first_name, last_name, now() + interval '7 days'
  from generate_series(0::bigint, $1 / 100 - 1) as n,
    lateral (select pg_temp.pick($2, n + n / 131), pg_temp.pick($3, n * 2654435761 / 1000)) as names (first_name, last_name)`

const promises = `
  insert into invitation_services (invitation_id, organization_id, service_id)
  select pg_temp.seed_id(4, n), pg_temp.seed_id(1, 1 + n % $2), pg_temp.seed_id(2, 1 + ((1 + n % $2) * 7) % $3)
  from generate_series(0::bigint, $1 / 100 - 1) as n`

// Everybody is in one organisation, every tenth in a second one, and every fiftieth in the first: it is a large one.
const memberships = `
  insert into memberships (account_id, organization_id, user_role, entry)
  select pg_temp.seed_id(3, n), pg_temp.seed_id(1, 1 + n % $2), case when n < $2 then 'organizationAdmin' else 'regular' end,
    'opened'
  from generate_series(0::bigint, $1 - 1) as n
  union all
  select pg_temp.seed_id(3, n), pg_temp.seed_id(1, 1 + (n + 1) % $2), 'regular', 'joined'
  from generate_series(0::bigint, $1 - 1) as n where n % 10 = 5 and $2 > 1
  union all
  select pg_temp.seed_id(3, n), pg_temp.seed_id(1, 1), 'regular', 'joined'
  from generate_series(0::bigint, $1 - 1) as n where n % 50 = 7 and n % $2 > 0 and not (n % 10 = 5 and (n + 1) % $2 = 0)`

// Spread evenly over the first memberships; from one to the next the services of the organisation take turns.
const assignments = `
  insert into service_assignments (account_id, organization_id, service_id, user_role)
  select pg_temp.seed_id(3, n), pg_temp.seed_id(1, 1 + n % $2),
    pg_temp.seed_id(2, 1 + ((1 + n % $2) * 7 + (n / $2 + turn) % $4) % $3),
    case when n % 40 = 3 and turn = 0 then 'serviceAdmin' else 'regular' end
  from generate_series(0::bigint, $1 - 1) as n,
    lateral generate_series(0::bigint, ((n + 1) * $5) / $1 - (n * $5) / $1 - 1) as turn`

const seats = `
  update organization_services set seats_used = counted.seats
  from (select organization_id, service_id, count(*)::integer as seats from service_assignments group by 1, 2) as counted
  where organization_services.organization_id = counted.organization_id
    and organization_services.service_id = counted.service_id
    and seats_used <> counted.seats`

const members = `
  update organizations set member_count = counted.members
  from (select organization_id, count(*)::integer as members from memberships group by 1) as counted
  where organizations.organization_id = counted.organization_id and member_count <> counted.members`

// What the triggers of the migration do, for everybody at once.
const copies = [
  `update memberships set email = u.email, first_name = coalesce(u.first_name, ''), last_name = coalesce(u.last_name, ''),
     login_method = u.login_method, idle_since = u.idle_since
   from users u where u.account_id = memberships.account_id and memberships.email = ''`,
  `insert into directory (account_id, email, first_name, last_name, person, search)
   select account_id, email, coalesce(first_name, ''), coalesce(last_name, ''), person, concat_ws(E'\\n', person, places.words)
   from users
     left join (
       select memberships.account_id, folded(string_agg(concat_ws(E'\\n', name, organization_number), E'\\n')) as words
       from memberships join organizations using (organization_id) group by 1
     ) as places using (account_id),
     lateral (select folded(concat_ws(E'\\n', first_name, last_name, email))) as own (person)
   where not exists (select from directory where directory.account_id = users.account_id)`,
  `insert into directory (account_id, email, first_name, last_name, person, search, invited)
   select invitation_id, email, coalesce(i.first_name, ''), coalesce(i.last_name, ''), person,
     concat_ws(E'\\n', person, folded(concat_ws(E'\\n', o.name, o.organization_number))), true
   from invitations i join organizations o using (organization_id),
     lateral (select folded(concat_ws(E'\\n', i.first_name, i.last_name, i.email))) as own (person)
   where not exists (select from directory where directory.account_id = i.invitation_id)`,
]

/** The services that each organisation has. */
export const offersPerOrganization = ({ users, assignments, services }: Amounts): number =>
  Math.min(services, Math.max(10, Math.ceil(assignments / users)))

/** Adds everything, on tables whose indexes and triggers are away. */
export async function addRows(client: pg.Client, amounts: Amounts, words: Words): Promise<void> {
  const each = offersPerOrganization(amounts)
  const { users: people, organizations: places, services: things, assignments: handedOut } = amounts
  await client.query(functions)
  await client.query(organizations, [places, words.organizations])
  await client.query(services, [things, words.services])
  await client.query(offers, [places, things, each])
  await client.query(users, [people, words.firstNames, words.lastNames, words.organizations, places])
  await client.query(memberships, [people, places])
  await client.query(assignments, [people, places, things, each, handedOut])
  await client.query(invitations, [people, words.firstNames, words.lastNames, places])
  await client.query(promises, [people, places, things])
  await addRolesAndGroups(client, amounts)
  await client.query(seats)
  await client.query(members)
  for (const statement of copies) await client.query(statement)
}
