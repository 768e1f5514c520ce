import { sql } from 'kysely'
import { type OrganizationForm, type OrganizationSummary, organizationSummary } from '#contract/organizations.ts'
import type { Db } from '#server/platform/database/database.ts'
import { type Page, readFromNearerEnd, toOffsetAndLimit } from '#server/platform/database/paging.ts'
import { matchesWordsByIndex, parseSearchTerms } from '#server/platform/database/search.ts'
import { loadSearchPage } from '#server/platform/database/search-page.ts'
import { newId } from '#server/platform/ids.ts'

interface Order {
  sort: 'name' | 'organizationNumber'
  sortDirection: 'asc' | 'desc'
}

const columns = Object.keys(organizationSummary.shape) as (keyof OrganizationSummary)[]

export async function listOrganizations(db: Db, query: Page & Order, itemsPerPage: number) {
  const terms = parseSearchTerms(query.searchQuery)
  if (terms) {
    const hits = sql`select organization_id as id, ${sql.ref(query.sort)} as place from organizations
      where ${matchesWordsByIndex('search', terms)}`
    const { totalCount, ids } = await loadSearchPage({
      db,
      query,
      itemsPerPage,
      hits,
      cacheKey: ['organizations', terms.words],
    })
    const page = db
      .selectFrom('organizations')
      .select(columns)
      .where('organizationId', 'in', [...ids, unknownId])
    return { itemsPerPage, totalCount, items: await ordered(page, query).execute() }
  }
  const { totalCount } = await db
    .selectFrom('listCounts')
    .select(sql<number>`coalesce(sum(organizations), 0)::bigint`.as('totalCount'))
    .executeTakeFirstOrThrow()
  const place = readFromNearerEnd(toOffsetAndLimit(query, itemsPerPage), query.sortDirection, totalCount)
  const page = db.selectFrom('organizations').select(columns).offset(place.offset).limit(place.limit)
  const items = await ordered(page, { ...query, sortDirection: place.sortDirection }).execute()
  return { itemsPerPage, totalCount, items: place.turned ? items.reverse() : items }
}
// SQL does not allow an empty list, so search for an id that does not exist.
const unknownId = '00000000-0000-0000-0000-000000000000'

export const listAllOrganizations = (db: Db, order: Order) =>
  ordered(db.selectFrom('organizations').select(columns), order).execute()

type Orderable<Query> = {
  orderBy(column: 'name' | 'organizationNumber' | 'organizationId', direction?: 'asc' | 'desc'): Query
}
// The id breaks ties in the same direction, so that one index serves both and paging repeats no row.
const ordered = <Query extends Orderable<Query>>(query: Query, { sort, sortDirection }: Order): Query =>
  query.orderBy(sort, sortDirection).orderBy('organizationId', sortDirection)

export const findOrganization = (db: Db, organizationId: string) =>
  db.selectFrom('organizations').select(columns).where('organizationId', '=', organizationId).executeTakeFirst()

/** Finds and locks the organisation until the transaction ends. */
export const findOrganizationForUpdate = (db: Db, organizationId: string) =>
  db
    .selectFrom('organizations')
    .select(columns)
    .where('organizationId', '=', organizationId)
    .forUpdate()
    .executeTakeFirst()

/** The columns that the form sets. */
export const columnsOf = ({ services: _, ...form }: OrganizationForm) => ({
  ...form,
  // An unused reference would prevent the configuration from being deleted.
  samlConfigId: form.loginMethod === 'saml' ? form.samlConfigId : null,
  createAtSignIn: form.loginMethod === 'saml' && form.createAtSignIn,
})

export const insertOrganization = (db: Db, form: OrganizationForm) =>
  db
    .insertInto('organizations')
    .values({ organizationId: newId(), ...columnsOf(form) })
    .returning(columns)
    .executeTakeFirstOrThrow()

export const updateOrganization = (db: Db, organizationId: string, form: OrganizationForm) =>
  db
    .updateTable('organizations')
    .set({ ...columnsOf(form), version: sql`version + 1` })
    .where('organizationId', '=', organizationId)
    .returning(columns)
    .executeTakeFirstOrThrow()

export const removeOrganization = (db: Db, organizationId: string) =>
  db.deleteFrom('organizations').where('organizationId', '=', organizationId).execute()

/** Finds any member of the organisation. */
export const findAnyMember = (db: Db, organizationId: string) =>
  db
    .selectFrom('memberships')
    .select('accountId')
    .where('organizationId', '=', organizationId)
    .limit(1)
    .executeTakeFirst()
