import { sql } from 'kysely'
import type { NamedRole } from '#contract/organization-roles/role-labels.ts'
import type { Language } from '#contract/roles.ts'
import type { Db } from '#server/platform/database/database.ts'

/** When reminders are sent, in days before the end. */
export const reminderDays = { first: 14, last: 3 } as const

/** What ends for a person in an organisation, or in the portal, on one day. */
export interface Ending {
  accountId: string
  email: string
  firstName: string | null
  lastName: string | null
  preferredLanguage: Language | null
  /** Whether a mail to the person has a point: they can sign in. */
  canSignIn: boolean
  endsOn: string
  membership: boolean
  roles: NamedRole[]
  services: string[]
}

// Each last day that comes within the time of reminders, with what ends on it.
const ends = sql`(
  select account_id, organization_id, valid_until as ends_on, true as membership, null::text as role, null::uuid as about,
      null::uuid as service_id, null::uuid as role_id
    from memberships where valid_until is not null
  union all select account_id, organization_id, role_until, false, user_role, null, null, null
    from memberships where role_until is not null
  union all select account_id, organization_id, valid_until, false, role, about, null, null from role_ends
  union all select account_id, organization_id, valid_until, false, null, null, service_id, null from assignment_ends
  union all select account_id, organization_id, valid_until, false, null, null, service_id, role_id
    from service_role_assignments h where valid_until is not null and not exists (
      select from group_role_grants g where g.account_id = h.account_id and g.organization_id = h.organization_id
        and g.role_id = h.role_id and coalesce(g.valid_until, 'infinity') > h.valid_until
        and coalesce(g.valid_from, '-infinity') <= h.valid_until + 1))`
// Nothing ends once more after the membership.
const inMembership = sql`not exists (
  select from memberships m where m.account_id = e.account_id and m.organization_id = e.organization_id and m.valid_until < e.ends_on)`
// "Journal", or "Journal: doctor" of a role in it.
const name = sql`s.name || coalesce(': ' || coalesce(
  case u.preferred_language when 'en' then r.name_en when 'fi' then r.name_fi when 'fr' then r.name_fr end, r.name_sv), '')`
const due = sql`ends_on between access_day() and access_day() + ${reminderDays.first}::integer and ${inMembership}`
const daysBefore = sql`case when ends_on - access_day() <= ${reminderDays.last}::integer
  then ${reminderDays.last}::smallint else ${reminderDays.first}::smallint end`

/** The organisations in which somebody is still to be reminded. */
export async function listOrganizationsToRemind(db: Db): Promise<{ organizationId: string; name: string }[]> {
  const { rows } = await sql<{ organizationId: string; name: string }>`
    select organization_id as "organizationId", name from organizations o
    where exists (
      select from ${ends} e where e.organization_id = o.organization_id and ${due} and not exists (
        select from access_end_reminders r where r.account_id = e.account_id and r.organization_id = e.organization_id
          and r.ends_on = e.ends_on and r.days_before <= ${daysBefore}))
    order by organization_id`.execute(db)
  return rows
}

/**
 * Notes the reminders that are due in an organisation, or with null in the portal, so that one node sends each.
 *
 * @returns what they are about
 */
export async function takeReminders(db: Db, organizationId: string | null, now: Date): Promise<Ending[]> {
  const there = organizationId ? sql`e.organization_id = ${organizationId}::uuid` : sql`e.organization_id is null`
  const { rows } = await sql<Ending>`
    with taken as (
      insert into access_end_reminders (account_id, organization_id, ends_on, days_before, sent_at)
      select distinct account_id, organization_id, ends_on, ${daysBefore}, ${now}::timestamptz
      from ${ends} e where ${there} and ${due}
      on conflict do nothing returning account_id, ends_on)
    select u.account_id as "accountId", u.email, u.first_name as "firstName", u.last_name as "lastName",
      u.preferred_language as "preferredLanguage", u.passive_at is null and not u.pending as "canSignIn",
      e.ends_on::text as "endsOn", bool_or(e.membership) as membership,
      coalesce(json_agg(json_build_object('role', e.role, 'name', coalesce(own.name, owned.name, g.name))
        order by e.role, e.about) filter (where e.role is not null), '[]') as roles,
      coalesce(array_agg(${name} order by ${name}) filter (where s.name is not null), '{}') as services
    from taken t join ${ends} e on e.account_id = t.account_id and e.ends_on = t.ends_on and ${there}
      join users u on u.account_id = t.account_id left join services s using (service_id)
      left join service_roles r on r.role_id = e.role_id
      left join organization_roles own on own.role_id = e.about left join services owned on owned.service_id = e.about
      left join groups g on g.group_id = e.about
    group by u.account_id, e.ends_on order by e.ends_on, u.email`.execute(db)
  return rows
}
