import { type RawBuilder, sql } from 'kysely'
import type { UserFilters } from '#contract/users/user-filters.ts'
import type { ListPart } from '#server/platform/database/list-page.ts'
import { matchesInvitation } from './invitation-filters.repository.ts'
import { type AccountMatch, type FilterScope, matchesAccount } from './user-filters.repository.ts'

type Condition = RawBuilder<unknown>

/** Joined by `and`; without conditions, true. */
const allOf = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)

const isGiven = <Value>(value: Value | undefined): value is Value => value !== undefined

/**
 * The rows of all users that match the filters; none if nothing can match.
 *
 * @param rows selects `id` and `place` of all users, or of those whom a search finds: accounts and invitations
 */
export function filterAllUsers(
  filters: UserFilters,
  rows: Condition,
  { searched, ...scope }: { searched: boolean } & FilterScope,
): ListPart[] {
  const account = matchesAccount(filters, scope)
  const invited = matchesInvitation(filters, scope)
  return [
    account && {
      rows: sql`select id, place from (${rows}) as d where ${allOf([isAccount(account), accountMatches(sql`d.id`, account)])}`,
      counted: searched ? undefined : accountIds(account),
    },
    invited && {
      rows: sql`select id, place from (${rows}) as d join invitations i on i.invitation_id = d.id where ${allOf(invited)}`,
    },
  ].filter(isGiven)
}

/** The ids of the accounts that match. */
function accountIds({ conditions, exclusions, sets }: AccountMatch): Condition {
  if (conditions.length + exclusions.length === 0)
    return sql`select distinct account_id from (${sql.join(sets, sql` intersect `)}) as matching`
  const excluded = exclusions.map((one) => sql`not ${one}`)
  const inSets = sets.map((set) => sql`u.account_id in (${set})`)
  return sql`select account_id from users u where ${allOf([...conditions, ...excluded, ...inSets])}`
}

/** What merely excludes accounts would also find invitations. */
const isAccount = ({ conditions, sets }: AccountMatch): Condition =>
  conditions.length + sets.length > 0
    ? sql`true`
    : sql`not exists (select from invitations i where i.invitation_id = d.id)`

function accountMatches(accountId: Condition, { conditions, ofMembers, exclusions, sets }: AccountMatch): Condition {
  const account = sql`select from users u where u.account_id = ${accountId}`
  return allOf([
    ...ofMembers,
    ...(conditions.length > 0 ? [sql`exists (${account} and ${allOf(conditions)})`] : []),
    ...exclusions.map((excluded) => sql`not exists (${account} and ${excluded})`),
    ...sets.map((set) => sql`${accountId} in (${set})`),
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
