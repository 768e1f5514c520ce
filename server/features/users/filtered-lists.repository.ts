import { type RawBuilder, sql } from 'kysely'
import type { UserFilters } from '#contract/user-filters.ts'
import { type AccountMatch, type FilterScope, matchesAccount, matchesInvitation } from './user-filters.ts'

type Condition = RawBuilder<unknown>

/** The rows of a list that match its filters, and their number. */
export interface FilteredRows {
  /** Selects of `id` and `place`; none if nothing can match. */
  parts: readonly Condition[]
  total: RawBuilder<number>
}

/** Joined by `and`; without conditions, true. */
const allOf = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)

const isGiven = <Value>(value: Value | undefined): value is Value => value !== undefined

/** The sum of counts. */
export const sumOf = (counts: readonly (Condition | undefined)[]): RawBuilder<number> =>
  sql<number>`(${sql.join([sql`0::bigint`, ...counts.filter(isGiven)], sql` + `)})`

/** The rows of several selects. */
export const anyOf = (parts: readonly Condition[]): Condition =>
  parts.length > 0 ? sql.join(parts, sql` union all `) : sql`select null::uuid as id, null::text as place where false`

/**
 * @param rows selects `id` and `place` of all users: accounts and invitations
 * @param inSet how an account is looked for in a select of account ids
 */
export function filterAllUsers(filters: UserFilters, rows: Condition, inSet: InSet = joined): FilteredRows {
  const account = matchesAccount(filters, {})
  const invited = matchesInvitation(filters, {})
  const parts = [
    account &&
      sql`select id, place from (${rows}) as d where ${allOf([isAccount(account), accountMatches(sql`d.id`, account, inSet)])}`,
    invited &&
      sql`select id, place from (${rows}) as d join invitations i on i.invitation_id = d.id where ${allOf(invited)}`,
  ]
  const total = sumOf([
    account && countAccounts(account),
    // An invitation to the address of an account is not in the list of all users.
    invited &&
      sql`(select count(*) from invitations i
        where ${hashed(sql`i.invitation_id`, sql`select account_id from directory where invited`)} and ${allOf(invited)})`,
  ])
  return { parts: parts.filter(isGiven), total }
}

/** What merely excludes accounts would also find invitations. */
const isAccount = ({ conditions, sets }: AccountMatch): Condition =>
  conditions.length + sets.length > 0
    ? sql`true`
    : sql`not exists (select from invitations i where i.invitation_id = d.id)`

function countAccounts({ conditions, exclusions, sets, counted }: AccountMatch): Condition {
  if (counted) return sql`(select coalesce(sum(accounts), 0)::bigint from account_counts where ${allOf(counted)})`
  if (conditions.length + exclusions.length === 0)
    return sql`(select count(distinct account_id) from (${intersection(sets)}) as matching)`
  const excluded = exclusions.map((one) => sql`not ${one}`)
  return sql`(select count(*) from users u
    where ${allOf([...conditions, ...excluded, ...sets.map((set) => joined(sql`u.account_id`, set))])})`
}

const intersection = (sets: readonly Condition[]) =>
  sql.join(
    sets.map((set) => sql`(${set})`),
    sql` intersect `,
  )

type InSet = (accountId: Condition, set: Condition) => Condition
const joined: InSet = (accountId, set) => sql`${accountId} in (${set})`
/** The planner cannot turn this into a join: rows are read in the order of the list, and each is looked up in a hash table. */
export const hashed: InSet = (accountId, set) => sql`coalesce(${accountId} in (${set}), false)`

function accountMatches(
  accountId: Condition,
  { conditions, ofMembers, exclusions, sets }: AccountMatch,
  inSet: InSet = joined,
): Condition {
  const account = sql`select from users u where u.account_id = ${accountId}`
  return allOf([
    ...ofMembers,
    ...(conditions.length > 0 ? [sql`exists (${account} and ${allOf(conditions)})`] : []),
    ...exclusions.map((excluded) => sql`not exists (${account} and ${excluded})`),
    ...sets.map((set) => inSet(accountId, set)),
  ])
}

/** Conditions on the members of an organisation and on its invitations; undefined where none can match. */
export function filterPeople(filters: UserFilters, scope: FilterScope) {
  const account = matchesAccount(filters, scope)
  const invited = matchesInvitation(filters, scope)
  return {
    memberMatches: account && accountMatches(sql`memberships.account_id`, account),
    invitationMatches: invited && allOf(invited),
  }
}
