import { type RawBuilder, sql } from 'kysely'
import type { UserFilters } from '#contract/users/user-filters.ts'
import { type AccountMatch, type FilterScope, matchesAccount, matchesInvitation } from './user-filters.repository.ts'

type Condition = RawBuilder<unknown>

/** Joined by `and`; without conditions, true. */
const allOf = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)

const isGiven = <Value>(value: Value | undefined): value is Value => value !== undefined

/**
 * The rows of all users that match the filters, as selects of `id` and `place`; none if nothing can match.
 *
 * @param rows selects `id` and `place` of all users: accounts and invitations
 */
export function filterAllUsers(filters: UserFilters, rows: Condition): Condition[] {
  const account = matchesAccount(filters, {})
  const invited = matchesInvitation(filters, {})
  return [
    account &&
      sql`select id, place from (${rows}) as d where ${allOf([isAccount(account), accountMatches(sql`d.id`, account)])}`,
    invited &&
      sql`select id, place from (${rows}) as d join invitations i on i.invitation_id = d.id where ${allOf(invited)}`,
  ].filter(isGiven)
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
