import { sql } from 'kysely'
import { type Service, type ServiceForm, service } from '#contract/services/services.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Change } from '#server/platform/database/versioned.ts'
import { newId } from '#server/platform/ids.ts'

const columns = Object.keys(service.shape) as (keyof Service)[]

/** All services, each with the sign-in of its clients. */
export async function listServices(
  db: Db,
  { sort, sortDirection }: { sort: 'name' | 'url'; sortDirection: 'asc' | 'desc' },
) {
  const rows = await db
    .selectFrom('services')
    .leftJoin(
      (query) =>
        query
          .selectFrom('clients')
          .select(['serviceId', sql<Date | null>`max(last_sign_in)`.as('lastSignIn')])
          .where('serviceId', 'is not', null)
          .groupBy('serviceId')
          .as('reached'),
      (join) => join.onRef('reached.serviceId', '=', 'services.serviceId'),
    )
    .select(columns.map((column) => `services.${column}` as const))
    .select(['reached.lastSignIn', sql<boolean>`reached.service_id is not null`.as('signInSetUp')])
    .orderBy(`services.${sort}`, sortDirection)
    .orderBy('services.serviceId')
    .execute()
  return rows.map(({ lastSignIn, ...row }) => ({ ...row, lastSignIn: lastSignIn?.toISOString() ?? null }))
}

/** How many seats of each service are in use; one pass over what organisations have. */
export const countPeople = (db: Db) =>
  db
    .selectFrom('organizationServices')
    .select(['serviceId', sql<number>`sum(seats_used)::integer`.as('people')])
    .where('seatsUsed', '>', 0)
    .groupBy('serviceId')
    .execute()

export const findService = (db: Db, serviceId: string) =>
  db.selectFrom('services').select(columns).where('serviceId', '=', serviceId).executeTakeFirst()

/** Finds and locks the service until the transaction ends. */
export const findServiceForUpdate = (db: Db, serviceId: string) =>
  db.selectFrom('services').select(columns).where('serviceId', '=', serviceId).forUpdate().executeTakeFirst()

/** A form with its icon as it is stored. */
type Stored<Form> = Form & { iconPng?: Buffer | null }

export const insertService = (db: Db, form: Stored<ServiceForm>) =>
  db
    .insertInto('services')
    .values({ serviceId: newId(), ...form })
    .returning(columns)
    .executeTakeFirstOrThrow()

export const updateService = (db: Db, serviceId: string, form: Change<Stored<ServiceForm>>) =>
  db
    .updateTable('services')
    .set({ ...form, version: sql`version + 1` })
    .where('serviceId', '=', serviceId)
    .returning(columns)
    .executeTakeFirstOrThrow()

export const removeService = (db: Db, serviceId: string) =>
  db.deleteFrom('services').where('serviceId', '=', serviceId).execute()

/** The organisations that have the service. Their admins may see the audit event of its deletion. */
export const listOrganizationIds = async (db: Db, serviceId: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('organizationServices')
    .select('organizationId')
    .where('serviceId', '=', serviceId)
    .execute()
  return rows.map((row) => row.organizationId)
}

/** The bytes of an uploaded icon; services with the same image share its address. */
export const findIcon = async (db: Db, address: string): Promise<Buffer | undefined> => {
  const row = await db
    .selectFrom('services')
    .select('iconPng')
    .where('icon', '=', address)
    .where('iconPng', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return row?.iconPng ?? undefined
}

/** The categories of all services, in the order of the launcher. */
export const listCategories = async (db: Db): Promise<string[]> => {
  const rows = await db
    .selectFrom('services')
    .leftJoin('serviceCategories', 'serviceCategories.name', 'services.category')
    .select(['services.category', 'position'])
    .distinct()
    .where('services.category', 'is not', null)
    .orderBy(sql`position nulls last`)
    .orderBy('services.category')
    .execute()
  return rows.flatMap(({ category }) => category ?? [])
}

/** Replaces the order of the categories. */
export const setCategoryOrder = async (db: Db, names: readonly string[]): Promise<void> => {
  // Two super users who save at once take turns.
  await sql`lock table service_categories in share row exclusive mode`.execute(db)
  await db.deleteFrom('serviceCategories').execute()
  if (names.length > 0)
    await db
      .insertInto('serviceCategories')
      .values(names.map((name, position) => ({ name, position })))
      .execute()
}
