import { type RawBuilder, sql } from 'kysely'
import { normalizedOrganizationNumber } from '#contract/fields/organization-number.ts'
import type { UserFilters } from '#contract/users/user-filters.ts'
import { type ListPage, type ListPart, type ListRequest, loadListPage } from '#server/platform/database/list-page.ts'
import type { Page } from '#server/platform/database/paging.ts'
import { matchesWords, parseSearchTerms, type SearchTerms } from '#server/platform/database/search.ts'
import { filterAllUsers, filterPeople } from './filtered-lists.repository.ts'
import { isFiltered } from './user-filters.repository.ts'

/** The query of a list. */
export interface ListQuery extends Page, UserFilters {
  sort: 'email' | 'firstName' | 'lastName'
  sortDirection: 'asc' | 'desc'
}

type List = ListRequest & { query: ListQuery; now: Date }
type Sorted = Pick<List, 'query' | 'now'>

const termsOf = ({ query }: Pick<List, 'query'>) => parseSearchTerms(normalizedOrganizationNumber(query.searchQuery))

/** The rows of the list of all users. */
export function rowsOfEveryone(list: Sorted & Pick<Organization, 'administeredIds'>): ListPart[] {
  const { query, now, administeredIds } = list
  const terms = termsOf(list)
  const found = terms ? matchesWords('search', terms) : sql`true`
  const rows = sql`select account_id as id, ${sql.ref(query.sort)} as place from directory where ${found}`
  return isFiltered(query)
    ? filterAllUsers(query, rows, { searched: terms !== undefined, now, administeredIds })
    : [{ rows }]
}

/** A page of all users. */
export const listAllUsers = (list: List & Pick<Organization, 'administeredIds'>): Promise<ListPage> =>
  loadListPage(list, rowsOfEveryone(list), termsOf(list))

interface Organization {
  organizationId: string
  /** The organisations that the reader administers, unless the reader sees everything. */
  administeredIds?: readonly string[] | undefined
}

/** The rows of an organisation's list: members and invited people. */
export function rowsOfOrganization(list: Sorted, { organizationId, administeredIds }: Organization): ListPart[] {
  const terms = termsOf(list)
  const there = sql`organization_id = ${organizationId}`
  const { memberMatches, invitationMatches } = filterPeople(list.query, {
    organizationId,
    administeredIds,
    now: list.now,
  })
  const member = memberMatches && sql`${there} and ${memberMatches}`
  const open = invitationMatches && sql`${there} and ${invitationMatches}`
  return [
    ...(member ? [{ rows: terms ? searchMembers(list, member, terms) : members(list, member) }] : []),
    ...(open ? [{ rows: terms ? searchInvited(list, open, terms) : invited(list, open) }] : []),
  ]
}

/** A page of an organisation's members and invited people. */
export const listOrganizationPeople = (list: List, organization: Organization): Promise<ListPage> =>
  loadListPage(list, rowsOfOrganization(list, organization), termsOf(list))

const members = ({ query }: Sorted, where: RawBuilder<unknown>) =>
  sql`select account_id as id, ${sql.ref(query.sort)} as place from memberships where ${where}`
const invited = ({ query }: Sorted, where: RawBuilder<unknown>) =>
  sql`select invitation_id as id, ${invitedPlace[query.sort]} as place from invitations i where ${where}`

// Sorted by what the inviter wrote, so that the order reveals nothing about an existing account.
const invitedPlace = {
  email: sql`email collate "sv-x-icu"`,
  firstName: sql`coalesce(first_name, '')`,
  lastName: sql`coalesce(last_name, '')`,
}

const searchInvited = (list: Sorted, where: RawBuilder<unknown>, terms: SearchTerms) => sql`
  ${invited(list, where)} and (
    select ${matchesWords('words', terms)}
    from (select folded(concat_ws(E'\\n', first_name, last_name, email)) as words) as typed)`

/** A page of the people who have a service in an organisation. */
export function listServicePeople(
  list: List,
  { organizationId, serviceId }: { organizationId: string; serviceId: string },
): Promise<ListPage> {
  const terms = termsOf(list)
  const where = sql`organization_id = ${organizationId} and exists (
    select from service_assignments
    where service_assignments.organization_id = ${organizationId} and service_id = ${serviceId}
      and service_assignments.account_id = memberships.account_id)`
  const rows = terms ? searchMembers(list, where, terms) : members(list, where)
  return loadListPage(list, [{ rows }], terms)
}

/** An organisation has few members compared to all users, so each member is checked without an index. */
const searchMembers = ({ query }: Sorted, where: RawBuilder<unknown>, terms: SearchTerms) => sql`
  select account_id as id, memberships.${sql.ref(query.sort)} as place
  from memberships join directory using (account_id)
  where ${where} and ${matchesWords('directory.person', terms)}`
