import { sql } from 'kysely'
import type { OrganizationForm } from '#contract/organizations.ts'
import type { Db } from '#server/platform/database.ts'
import { newId } from '#server/platform/ids.ts'
import { contains, type Page, window } from '#server/platform/paging.ts'

interface Order {
  sort: 'name' | 'organizationNumber'
  sortDirection: 'asc' | 'desc'
}

const summary = ['organizationId', 'name', 'organizationNumber', 'loginMethod'] as const
const settings = [...summary, 'samlConfigId', 'maxPassiveDays', 'version'] as const

const matching = (db: Db, searchQuery: string) => {
  const query = db.selectFrom('organizations')
  if (searchQuery.trim() === '') return query
  const pattern = contains(searchQuery.trim())
  return query.where((where) =>
    where.or([where('name', 'ilike', pattern), where('organizationNumber', 'ilike', pattern)]),
  )
}

export async function listOrganizations(db: Db, query: Page & Order, itemsPerPage: number) {
  const { offset, limit } = window(query, itemsPerPage)
  const [items, { totalCount }] = await Promise.all([
    ordered(matching(db, query.searchQuery).select(summary), query).offset(offset).limit(limit).execute(),
    matching(db, query.searchQuery)
      .select((count) => count.fn.countAll<number>().as('totalCount'))
      .executeTakeFirstOrThrow(),
  ])
  return { itemsPerPage, totalCount, items }
}

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
