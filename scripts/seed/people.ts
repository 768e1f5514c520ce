import type pg from 'pg'
import type { Amounts, Sequence } from './amounts.ts'
import { rolesOfMembers, rolesOfOrganizations } from './roles.ts'
import { createFunctions, type Words } from './seed-functions.ts'
import { handOut } from './services.ts'

// One in ninety is passive. Every organisation's first person is its admin. All have the password of the demo.
const users = ({ users }: Amounts) => `
  insert into users (account_id, email, first_name, last_name, login_method, passive_at, last_login, last_active,
    email_proof, email_proven_at, password_hash)
  select pg_temp.seed_id(3, n), pg_temp.email(n), pg_temp.first_name(n), pg_temp.last_name(n), 'local',
    case when n % 90 = 89 then pg_temp.seeded_at() end, pg_temp.seen(n), pg_temp.seen(n), 'mailedLink', pg_temp.seen(n),
    (select password_hash from users where email = 'super@vestibule.example')
  from generate_series(0::bigint, ${users - 1}) as n`

// Everybody is in one organisation, every tenth in a second one, and every fiftieth in the first: it is a large one.
const memberships = ({ users }: Amounts) => `
  insert into memberships (account_id, organization_id, user_role, entry, email, first_name, last_name, login_method, idle_since)
  select account_id, pg_temp.seed_id(1, place.o), place.user_role, place.entry, email, first_name, last_name, 'local', idle_since
  from (
    select n, pg_temp.seed_id(3, n) as account_id, pg_temp.email(n) as email, pg_temp.first_name(n) as first_name,
      pg_temp.last_name(n) as last_name, (pg_temp.seen(n) at time zone 'Europe/Stockholm')::date as idle_since
    from generate_series(0::bigint, ${users - 1}) as n offset 0
  ) as person, lateral pg_temp.places(n) as place`

const organizations = ({ organizations }: Amounts) => `
  insert into organizations (organization_id, name, organization_number, login_method, member_count)
  select pg_temp.seed_id(1, n), pg_temp.organization_name(n), pg_temp.organization_number(n), 'local', coalesce(members, 0)
  from generate_series(1::bigint, ${organizations}) as n
    left join (select organization_id, count(*)::integer as members from memberships group by 1) as counted
      on organization_id = pg_temp.seed_id(1, n)`

// What the triggers of the migration write.
const directory = ({ users }: Amounts) => `
  insert into directory (account_id, email, first_name, last_name, person, search)
  select pg_temp.seed_id(3, n), email, first_name, last_name, person, concat_ws(E'\\n', person, places.words)
  from (
    select n, pg_temp.email(n) as email, pg_temp.first_name(n) as first_name, pg_temp.last_name(n) as last_name,
      folded(concat_ws(E'\\n', pg_temp.first_name(n), pg_temp.last_name(n), pg_temp.email(n))) as person
    from generate_series(0::bigint, ${users - 1}) as n offset 0
  ) as described, lateral (
    select folded(string_agg(concat_ws(E'\\n', pg_temp.organization_name(o), pg_temp.organization_number(o)), E'\\n')) as words
    from pg_temp.places(n)) as places`

// For every hundred people there is one invitation, with a service.
const invitation = ({ users, organizations }: Amounts) => `
  select n, pg_temp.seed_id(4, n) as invitation_id, 1 + n % ${organizations} as o, pg_temp.first_name(n) as first_name,
    pg_temp.last_name(n) as last_name, pg_temp.plain_name(n) || '.invited' || n || '@example.com' as email
  from generate_series(0::bigint, ${Math.floor(users / 100) - 1}) as n`

const invitations = (amounts: Amounts) => `
  insert into invitations (invitation_id, organization_id, email, first_name, last_name, expires_at)
  select invitation_id, pg_temp.seed_id(1, o), email, first_name, last_name, pg_temp.seeded_at() + interval '7 days'
  from (${invitation(amounts)}) as i`

const promises = (amounts: Amounts) => `
  insert into invitation_services (invitation_id, organization_id, service_id)
  select invitation_id, pg_temp.seed_id(1, o), pg_temp.seed_id(2, 1 + (o * 7) % ${amounts.services})
  from (${invitation(amounts)}) as i`

const invited = (amounts: Amounts) => `
  insert into directory (account_id, email, first_name, last_name, person, search, invited)
  select invitation_id, email, first_name, last_name, person,
    concat_ws(E'\\n', person, folded(concat_ws(E'\\n', pg_temp.organization_name(o), pg_temp.organization_number(o)))), true
  from (${invitation(amounts)}) as i,
    lateral (select folded(concat_ws(E'\\n', first_name, last_name, email))) as own (person)`

/** The services that each organisation has. */
export const offersPerOrganization = ({ users, assignments, services }: Amounts): number =>
  Math.min(services, Math.max(10, Math.ceil(assignments / users)))

/** Everything to add, for tables whose indexes and triggers are away. What takes longest is first. */
export function sequences(amounts: Amounts): Sequence[] {
  return [
    [
      { table: 'directory', statement: directory(amounts) },
      { table: 'directory', statement: invited(amounts) },
    ],
    handOut(amounts, offersPerOrganization(amounts)),
    [
      { table: 'memberships', statement: memberships(amounts) },
      { table: 'organizations', statement: organizations(amounts) },
      ...rolesOfMembers(amounts),
    ],
    [{ table: 'users', statement: users(amounts) }],
    [
      { table: 'invitations', statement: invitations(amounts) },
      { table: 'invitation_services', statement: promises(amounts) },
      ...rolesOfOrganizations,
    ],
  ]
}

/** Adds everything over one connection, on tables whose indexes and triggers are away. */
export async function addRows(client: pg.Client, amounts: Amounts, words: Words): Promise<void> {
  await createFunctions(client, { ...amounts, words, at: new Date() })
  for (const { statement } of sequences(amounts).flat()) await client.query(statement)
}
