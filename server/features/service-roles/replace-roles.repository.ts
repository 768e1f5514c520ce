import { sql } from 'kysely'
import type { DeclaredRole, ServiceRoleForm } from '#contract/service-roles/service-roles.ts'
import { giveByNewRules } from '#server/accounts/group-access.ts'
import type { Db } from '#server/platform/database/database.ts'
import { newId } from '#server/platform/ids.ts'
import { lockHandingOut } from './service-roles.repository.ts'

/** Every key that a service has or has had. */
export async function listKeys(db: Db, serviceId: string): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('serviceRoles').select('key').where('serviceId', '=', serviceId).execute()
  return new Set(rows.map(({ key }) => key))
}

/** How many people have each role of a service, over all organisations. */
export async function countPeople(db: Db, serviceId: string): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ roleId: string; people: number }>`
    select role_id as "roleId", count(distinct account_id)::integer as people from service_role_assignments
    where service_id = ${serviceId} group by role_id`.execute(db)
  return new Map(rows.map(({ roleId, people }) => [roleId, people]))
}

/** A number that grows with every change of the roles of a service, removals included. */
export async function readVersion(db: Db, serviceId: string): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    select (1 + coalesce(sum(version), 0) + count(*) + count(removed_at))::integer as version
    from service_roles where service_id = ${serviceId}`.execute(db)
  return rows[0]?.version ?? 1
}

/** Locks all roles of a service, and the handing out of them, until the transaction ends. */
export async function lockRoles(db: Db, serviceId: string): Promise<void> {
  // Also where there are no roles yet: of two lists the second one sees the first.
  await db.selectFrom('services').select('serviceId').where('serviceId', '=', serviceId).forNoKeyUpdate().execute()
  await lockHandingOut(db, sql`${serviceId}`)
  await db
    .selectFrom('serviceRoles')
    .select('roleId')
    .where('serviceId', '=', serviceId)
    .orderBy('roleId')
    .forUpdate()
    .execute()
}

/** Writes roles at once: what somebody waits for is given when all of the new rules count. */
export async function updateRoles(db: Db, roles: readonly DeclaredRole[]): Promise<void> {
  if (roles.length === 0) return
  await sql`
    update service_roles r set (name_sv, name_en, name_fi, name_fr, description_sv, description_en, description_fi, description_fr,
        needs_two_factors, max_people, excludes, version) =
      (w."nameSv", w."nameEn", w."nameFi", w."nameFr", w."descriptionSv", w."descriptionEn", w."descriptionFi", w."descriptionFr",
        w."needsTwoFactors", w."maxPeople", w.excludes, r.version + 1)
    from jsonb_to_recordset(${JSON.stringify(roles)}::jsonb) as w ("roleId" uuid, "nameSv" text, "nameEn" text, "nameFi" text,
      "nameFr" text, "descriptionSv" text, "descriptionEn" text, "descriptionFi" text, "descriptionFr" text,
      "needsTwoFactors" boolean, "maxPeople" integer, excludes text[])
    where r.role_id = w."roleId"`.execute(db)
  for (const serviceId of new Set(roles.map((role) => role.serviceId))) await giveByNewRules(db, serviceId)
}

/** Declares roles of a service. */
export async function insertRoles(db: Db, roles: readonly ServiceRoleForm[]): Promise<void> {
  if (roles.length === 0) return
  await db
    .insertInto('serviceRoles')
    .values(roles.map((role) => ({ roleId: newId(), ...role })))
    .execute()
}
