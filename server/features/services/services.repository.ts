import { sql } from 'kysely'
import { type Service, type ServiceForm, service } from '#contract/services.ts'
import type { Db } from '#server/platform/database/database.ts'
import { newId } from '#server/platform/ids.ts'

const columns = Object.keys(service.shape) as (keyof Service)[]

export const listServices = (
  db: Db,
  { sort, sortDirection }: { sort: 'name' | 'url'; sortDirection: 'asc' | 'desc' },
) => db.selectFrom('services').select(columns).orderBy(sort, sortDirection).orderBy('serviceId').execute()

export const findService = (db: Db, serviceId: string) =>
  db.selectFrom('services').select(columns).where('serviceId', '=', serviceId).executeTakeFirst()

/** Finds and locks the service until the transaction ends. */
export const findServiceForUpdate = (db: Db, serviceId: string) =>
  db.selectFrom('services').select(columns).where('serviceId', '=', serviceId).forUpdate().executeTakeFirst()

export const insertService = (db: Db, form: ServiceForm) =>
  db
    .insertInto('services')
    .values({ serviceId: newId(), ...form })
    .returning(columns)
    .executeTakeFirstOrThrow()

export const updateService = (db: Db, serviceId: string, form: ServiceForm) =>
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
