import { sql } from 'kysely'
import type { OrganizationForm } from '#contract/organizations.ts'
import type { Db } from '#server/platform/database.ts'
import { gatheredPage } from '#server/platform/gathered-page.ts'
import { newId } from '#server/platform/ids.ts'
import { fromNearerEnd, type Page, window } from '#server/platform/paging.ts'
import { findsWords, searchTerms } from '#server/platform/search.ts'

interface Order {
  sort: 'name' | 'organizationNumber'
  sortDirection: 'asc' | 'desc'
}

const summary = ['organizationId', 'name', 'organizationNumber', 'loginMethod'] as const
const settings = [...summary, 'samlConfigId', 'maxPassiveDays', 'version'] as const

export async function listOrganizations(db: Db, query: Page & Order, itemsPerPage: number) {
  const terms = searchTerms(query.searchQuery)
  if (terms) {
    const hits = sql`select organization_id as id, ${sql.ref(query.sort)} as place from organizations
      where ${findsWords('search', terms)}`
    const { totalCount, ids } = await gatheredPage({
      db,
      query,
      itemsPerPage,
      hits,
      what: ['organizations', terms.words],
    })
    const page = db
      .selectFrom('organizations')
      .select(summary)
      .where('organizationId', 'in', [...ids, nobody])
    return { itemsPerPage, totalCount, items: await ordered(page, query).execute() }
  }
  const { totalCount } = await db
    .selectFrom('listCounts')
    .select(sql<number>`coalesce(sum(organizations), 0)::bigint`.as('totalCount'))
    .executeTakeFirstOrThrow()
  const place = fromNearerEnd(window(query, itemsPerPage), query.sortDirection, totalCount)
  const page = db.selectFrom('organizations').select(summary).offset(place.offset).limit(place.limit)
  const items = await ordered(page, { ...query, sortDirection: place.sortDirection }).execute()
  return { itemsPerPage, totalCount, items: place.turned ? items.reverse() : items }
}
// An empty list of ids is no SQL.
const nobody = '00000000-0000-0000-0000-000000000000'

export const listAllOrganizations = (db: Db, order: Order) =>
  ordered(db.selectFrom('organizations').select(summary), order).execute()

type Orderable<Query> = {
  orderBy(column: 'name' | 'organizationNumber' | 'organizationId', direction?: 'asc' | 'desc'): Query
}
// The id breaks ties in the same direction, so that one index serves both and paging never repeats a row.
const ordered = <Query extends Orderable<Query>>(query: Query, { sort, sortDirection }: Order): Query =>
  query.orderBy(sort, sortDirection).orderBy('organizationId', sortDirection)

export const findOrganization = (db: Db, organizationId: string) =>
  db.selectFrom('organizations').select(settings).where('organizationId', '=', organizationId).executeTakeFirst()

/** The organisation, locked until the transaction ends, so that what is compared is what is changed. */
export const findOrganizationForUpdate = (db: Db, organizationId: string) =>
  db
    .selectFrom('organizations')
    .select(settings)
    .where('organizationId', '=', organizationId)
    .forUpdate()
    .executeTakeFirst()

const values = ({ services: _services, ...form }: OrganizationForm) => ({
  name: form.name,
  organizationNumber: form.organizationNumber,
  loginMethod: form.loginMethod,
  // A configuration that is not used would keep it from being deleted.
  samlConfigId: form.loginMethod === 'saml' ? form.samlConfigId : null,
  maxPassiveDays: form.maxPassiveDays,
})

export const insertOrganization = (db: Db, form: OrganizationForm) =>
  db
    .insertInto('organizations')
    .values({ organizationId: newId(), ...values(form) })
    .returning(settings)
    .executeTakeFirstOrThrow()

export const updateOrganization = (db: Db, organizationId: string, form: OrganizationForm) =>
  db
    .updateTable('organizations')
    .set({ ...values(form), version: sql`version + 1` })
    .where('organizationId', '=', organizationId)
    .returning(settings)
    .executeTakeFirstOrThrow()

export const removeOrganization = (db: Db, organizationId: string) =>
  db.deleteFrom('organizations').where('organizationId', '=', organizationId).execute()

/** Does anybody belong to the organisation? */
export const findAnyMember = (db: Db, organizationId: string) =>
  db
    .selectFrom('memberships')
    .select('accountId')
    .where('organizationId', '=', organizationId)
    .limit(1)
    .executeTakeFirst()
