import { sql } from 'kysely'
import type { ServiceForm } from '#contract/services.ts'
import type { Db } from '#server/platform/database.ts'
import { newId } from '#server/platform/ids.ts'

const columns = ['serviceId', 'name', 'url', 'version'] as const

export const listServices = (
  db: Db,
  { sort, sortDirection }: { sort: 'name' | 'url'; sortDirection: 'asc' | 'desc' },
) => db.selectFrom('services').select(columns).orderBy(sort, sortDirection).orderBy('serviceId').execute()

export const findService = (db: Db, serviceId: string) =>
  db.selectFrom('services').select(columns).where('serviceId', '=', serviceId).executeTakeFirst()

/** The service, locked until the transaction ends, so that what is compared is what is changed. */
export const findServiceForUpdate = (db: Db, serviceId: string) =>
  db.selectFrom('services').select(columns).where('serviceId', '=', serviceId).forUpdate().executeTakeFirst()

export const insertService = (db: Db, form: ServiceForm) =>
  db
    .insertInto('services')
    .values({ serviceId: newId(), name: form.name, url: form.url })
    .returning(columns)
    .executeTakeFirstOrThrow()

export const updateService = (db: Db, serviceId: string, form: ServiceForm) =>
  db
    .updateTable('services')
    .set({ name: form.name, url: form.url, version: sql`version + 1` })
    .where('serviceId', '=', serviceId)
    .returning(columns)
    .executeTakeFirstOrThrow()

export const removeService = (db: Db, serviceId: string) =>
  db.deleteFrom('services').where('serviceId', '=', serviceId).execute()

/** The organisations that have the service, which are also those whose admins may read of its end. */
export const listOrganizationIds = async (db: Db, serviceId: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('organizationServices')
    .select('organizationId')
    .where('serviceId', '=', serviceId)
    .execute()
  return rows.map((row) => row.organizationId)
}
