import { type RawBuilder, sql } from 'kysely'
import type { Language } from '#contract/roles.ts'
import type { Db } from '#server/platform/database/database.ts'

/**
 * What the nightly job does with an account (product-rules 7). The last admin of an organisation gets `superUserWarning`
 * on the day, and `passive` `graceDays` later.
 */
export type Step = 'firstWarning' | 'lastWarning' | 'superUserWarning' | 'passive'

/** How many days before the account becomes passive a warning is sent, as stored in `passive_warnings`. */
export const daysBefore = { firstWarning: 14, lastWarning: 1, superUserWarning: 0 } as const

/** Days between the warning to super users and the day on which the last admin of an organisation becomes passive. */
export const graceDays = 14

/** Nothing is done earlier than the first warning. */
const horizon = daysBefore.firstWarning

/** For accounts without an organisation and without a limit of their own. */
const defaultDays = 180

/**
 * Ids of accounts, found by indexes alone: all whose day comes within so many days, and not many more. Somebody's limit is the
 * longest of their organisations', and nearly all organisations of a portal have the same: who has been away for that long is found by
 * the day, and the few organisations with a shorter one are asked for their members.
 *
 * @param organizationId only its members, and who has a limit of their own
 */
export function idleLongEnough(now: Date, horizon: number, organizationId?: string): RawBuilder<unknown> {
  // A day later: days in Sweden are not always as long as those of the database.
  const sinceFor = (limit: RawBuilder<unknown>) => sql`
    1 + ((${now}::timestamptz + make_interval(days => ${horizon}::integer - ${limit})) at time zone 'Europe/Stockholm')::date`
  // `offset 0`: organisation by organisation. The planner does not know how few they are, and would read all memberships.
  const members = (more: RawBuilder<unknown>) => sql`
    select distinct m.account_id from organizations o cross join lateral (
      select account_id, idle_since from memberships where organization_id = o.organization_id offset 0) as m
    where m.idle_since <= ${sinceFor(sql`least(${defaultDays}::integer, o.max_passive_days)`)} and ${more}`
  const withOwnLimit = sql`select account_id from users where max_passive_days is not null`
  if (organizationId) return sql`${members(sql`o.organization_id = ${organizationId}::uuid`)} union ${withOwnLimit}`
  const usual = sql`(
    select least(${defaultDays}::integer, percentile_disc(0.05) within group (order by max_passive_days)) from organizations)`
  // Nobody comes twice, so that no row waits for all others.
  return sql`
    select account_id from users where passive_at is null and idle_since <= ${sinceFor(usual)}
    union all ${withOwnLimit} and idle_since > ${sinceFor(usual)}
    union all ${members(sql`o.max_passive_days < ${usual} and m.idle_since > ${sinceFor(usual)}`)}
      and m.account_id not in (${withOwnLimit})`
}

/**
 * The accounts that can become passive: `u` is the person, `p.since` is when they were last active, `p.days` their limit, `d.due` the day, `w`
 * the warning that was sent for this period of inactivity.
 *
 * @param horizon only accounts whose day comes within this many days
 * @param ids selects `account_id` of whom to ask about: the day itself follows from several tables
 */
export const watchedAccounts = (now: Date, horizon: number, ids: RawBuilder<unknown>) => sql`
  from (${ids}) as asked join users u on u.account_id = asked.account_id
  cross join lateral (
    select coalesce(u.last_active, u.created_at) as since,
      coalesce(u.max_passive_days, (
        select max(o.max_passive_days) from current_memberships m join organizations o using (organization_id)
        where m.account_id = u.account_id), ${defaultDays}::integer) as days) p
  cross join lateral (select p.since + make_interval(days => p.days) as due) d
  left join passive_warnings w on w.account_id = u.account_id and w.active_since = p.since
  where not u.pending and u.passive_at is null and not u.super_user
    and d.due <= ${now}::timestamptz + make_interval(days => ${horizon}::integer)`

/**
 * The organisations `m` of `u` that would be left without an admin who can sign in, and whose role has no end. `offset 0` keeps the
 * planner from a join with the admins of all organisations.
 */
const withoutOtherAdmin = sql`
  m.account_id = u.account_id and (m.user_role = 'organizationAdmin' or exists (
    select from standing_admins own where own.organization_id = m.organization_id and own.account_id = u.account_id))
  and not exists (
    select from standing_admins other where other.organization_id = m.organization_id and other.account_id <> u.account_id
    offset 0)`

export const isLastAdmin = sql`exists (select from current_memberships m where ${withoutOtherAdmin})`

// A limit of up to 14 days has no first warning: people would get it after every day on which they were active.
const nextStep = (now: Date) => sql<Step | null>`case
  when d.due <= ${now} then case
    when not ${isLastAdmin} or (w.days_before = 0
      and w.sent_at <= ${now}::timestamptz - make_interval(days => ${graceDays}::integer)) then 'passive'
    when w.days_before is distinct from 0 then 'superUserWarning' end
  when p.days > 1 and d.due <= ${now}::timestamptz + interval '1 day' then case
    when w.days_before is null or w.days_before > 1 then 'lastWarning' end
  when p.days > 14 and d.due <= ${now}::timestamptz + interval '14 days' and w.days_before is null then 'firstWarning'
  end`

/** The ids of accounts for which something is due, in order. */
export async function listDueIds(db: Db, { now, after, limit }: { now: Date; after: string; limit: number }) {
  const { rows } = await sql<{ id: string }>`
    select u.account_id as id ${watchedAccounts(now, horizon, idleLongEnough(now, horizon))}
      and u.account_id > ${after}::uuid and (${nextStep(now)}) is not null
    order by u.account_id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

export interface DuePerson {
  accountId: string
  email: string
  firstName: string | null
  lastName: string | null
  preferredLanguage: Language | null
  lastActive: Date | null
  /** When the account becomes passive. */
  due: Date
  step: Step
  /** All organisations of the person. */
  organizationIds: string[]
}

/**
 * Locks an account for which something is still due. One that is locked, for example because its owner signs in now, is
 * left for the next night.
 */
export async function lockDuePerson(db: Db, accountId: string, now: Date): Promise<DuePerson | undefined> {
  const { rows } = await sql<Omit<DuePerson, 'step'> & { step: Step | null }>`
    select u.account_id as "accountId", u.email, u.first_name as "firstName", u.last_name as "lastName",
      u.preferred_language as "preferredLanguage", u.last_active as "lastActive", d.due, ${nextStep(now)} as step,
      array(select organization_id from current_memberships m where m.account_id = u.account_id) as "organizationIds"
    ${watchedAccounts(now, horizon, sql`select ${accountId}::uuid as account_id`)}
    for no key update of u skip locked`.execute(db)
  const [person] = rows
  return person?.step ? { ...person, step: person.step } : undefined
}

/** The names of the organisations whose last admin this is. */
export async function listOrganizationsWithoutOtherAdmin(db: Db, accountId: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select o.name from users u join current_memberships m on m.account_id = u.account_id
      join organizations o on o.organization_id = m.organization_id
    where u.account_id = ${accountId}::uuid and ${withoutOtherAdmin}
    order by o.name, o.organization_id`.execute(db)
  return rows.map(({ name }) => name)
}
