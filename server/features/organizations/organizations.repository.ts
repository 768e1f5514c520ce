import { sql } from 'kysely'
import { normalizedOrganizationNumber } from '#contract/fields/organization-number.ts'
import { isCompany } from '#contract/login-methods.ts'
import {
  type ListedOrganization,
  type OrganizationForm,
  type OrganizationSummary,
  organizationSummary,
} from '#contract/organizations/organizations.ts'
import type { Db } from '#server/platform/database/database.ts'
import { loadListPage } from '#server/platform/database/list-page.ts'
import { companyList } from '#server/platform/database/method-lists.ts'
import type { Page } from '#server/platform/database/paging.ts'
import { matchesWords, parseSearchTerms } from '#server/platform/database/search.ts'
import { newId } from '#server/platform/ids.ts'

interface Order {
  sort: 'name' | 'organizationNumber'
  sortDirection: 'asc' | 'desc'
}

const columns = Object.keys(organizationSummary.shape) as (keyof OrganizationSummary)[]

export async function listOrganizations(db: Db, query: Page & Order, itemsPerPage: number) {
  const terms = parseSearchTerms(normalizedOrganizationNumber(query.searchQuery))
  const found = terms ? matchesWords('search', terms) : sql`true`
  const rows = sql`select organization_id as id, ${sql.ref(query.sort)} as place from organizations where ${found}`
  const { ids, ...count } = await loadListPage({ db, query, itemsPerPage }, [{ rows }], terms)
  const page = db
    .selectFrom('organizations')
    .select(columns)
    .select('memberCount')
    .select(
      sql<ListedOrganization['state']>`case
        when login_method in (${companyList}) and exists (
          select from saml_configs c where c.id = saml_config_id and not c.active) then 'signInOff'
        when member_count = 0 then 'noPeople' else 'active' end`.as('state'),
    )
    .where('organizationId', 'in', [...ids, unknownId])
  return { itemsPerPage, ...count, items: await ordered(page, query).execute() }
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
  samlConfigId: isCompany(form.loginMethod) ? form.samlConfigId : null,
  createAtSignIn: isCompany(form.loginMethod) && form.createAtSignIn,
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
