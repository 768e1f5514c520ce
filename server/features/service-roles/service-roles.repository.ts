import { type RawBuilder, sql } from 'kysely'
import {
  type DeclaredRole,
  type OfferedRole,
  type ServiceRoleForm,
  serviceRole,
} from '#contract/service-roles/service-roles.ts'
import { giveByNewRules } from '#server/accounts/group-access.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Change } from '#server/platform/database/versioned.ts'
import { newId } from '#server/platform/ids.ts'

const columns = Object.keys(serviceRole.shape) as (keyof DeclaredRole)[]
const { version: _, ...declared } = serviceRole.shape

const present = (db: Db) => db.selectFrom('serviceRoles').select(columns).where('removedAt', 'is', null)

export const findService = (db: Db, serviceId: string) =>
  db.selectFrom('services').select(['serviceId', 'name']).where('serviceId', '=', serviceId).executeTakeFirst()

export const listRoles = (db: Db, serviceId: string): Promise<DeclaredRole[]> =>
  present(db).where('serviceId', '=', serviceId).orderBy('nameSv').orderBy('roleId').execute()

export const findRole = (db: Db, roleId: string) => present(db).where('roleId', '=', roleId).executeTakeFirst()

/** Locks the seats of a service in every organisation first, as handing out its roles does: two that act at once take turns. */
export const lockHandingOut = (db: Db, serviceId: RawBuilder<unknown>) =>
  sql`select from organization_services where service_id = ${serviceId} order by organization_id for no key update`.execute(
    db,
  )

/** Finds a role and locks all of its service until the transaction ends: a rule may be about two of them. */
export async function findRoleForUpdate(db: Db, roleId: string): Promise<DeclaredRole | undefined> {
  await lockHandingOut(db, sql`(select service_id from service_roles where role_id = ${roleId})`)
  const rows = await present(db)
    .where('serviceId', '=', ({ selectFrom }) =>
      selectFrom('serviceRoles as one').select('one.serviceId').where('one.roleId', '=', roleId),
    )
    .orderBy('roleId')
    .forUpdate()
    .execute()
  return rows.find((one) => one.roleId === roleId)
}

export const insertRole = (db: Db, form: ServiceRoleForm): Promise<DeclaredRole> =>
  db
    .insertInto('serviceRoles')
    .values({ roleId: newId(), ...form })
    .returning(columns)
    .executeTakeFirstOrThrow()

/** Changes a role. Who waits for it gets it where other rules allow it. */
export async function updateRole(db: Db, roleId: string, form: Change<ServiceRoleForm>): Promise<DeclaredRole> {
  const role = await db
    .updateTable('serviceRoles')
    .set({ ...form, version: sql`version + 1` })
    .where('roleId', '=', roleId)
    .returning(columns)
    .executeTakeFirstOrThrow()
  if ('maxPeople' in form || 'excludes' in form) await giveByNewRules(db, role.serviceId)
  return role
}

/** Takes roles from everybody. Their rows stay, so that their keys are not used again. */
export async function removeRoles(db: Db, roleIds: readonly string[], now: Date): Promise<void> {
  if (roleIds.length === 0) return
  await db.updateTable('serviceRoles').set({ removedAt: now }).where('roleId', 'in', roleIds).execute()
  await db.deleteFrom('groupServiceRoles').where('roleId', 'in', roleIds).execute()
  await db.deleteFrom('allGrants').where('serviceRoleId', 'in', roleIds).execute()
  await db.deleteFrom('invitationServiceRoles').where('roleId', 'in', roleIds).execute()
  const services = await db
    .selectFrom('serviceRoles')
    .select('serviceId')
    .where('roleId', 'in', roleIds)
    .distinct()
    .execute()
  // Others may have excluded them.
  for (const { serviceId } of services) await giveByNewRules(db, serviceId)
}

/** What roles would allow. */
export type RoleRules = Pick<DeclaredRole, 'roleId' | 'maxPeople' | 'excludes'>

/**
 * Those of some roles whose rules people break: whether an organisation has more holders than a role would allow, and whether
 * somebody holds two that would exclude each other.
 */
export async function findBrokenRules(
  db: Db,
  rules: readonly RoleRules[],
): Promise<{ roleId: string; tooMany: boolean; together: boolean }[]> {
  const wanted = JSON.stringify(rules.map(({ roleId, maxPeople, excludes }) => ({ roleId, maxPeople, excludes })))
  const { rows } = await sql<{ roleId: string; tooMany: boolean; together: boolean }>`
    select * from (
      select role_id as "roleId",
        exists (select from service_role_assignments a where a.service_id = r.service_id and a.role_id = r.role_id
          group by a.organization_id having count(*) > wanted."maxPeople") as "tooMany",
        exists (select from service_role_assignments a join service_role_assignments b using (account_id, organization_id, service_id)
          join service_roles other on other.role_id = b.role_id
          where a.service_id = r.service_id and a.role_id = r.role_id and other.key = any (wanted.excludes)) as together
      from jsonb_to_recordset(${wanted}::jsonb) as wanted ("roleId" uuid, "maxPeople" integer, excludes text[])
        join service_roles r on r.role_id = wanted."roleId") as found
    where "tooMany" or together`.execute(db)
  return rows
}

/** The organisations that have the service, whose admins see what becomes of its roles. */
export const listOrganizationIds = async (db: Db, serviceId: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('organizationServices')
    .select('organizationId')
    .where('serviceId', '=', serviceId)
    .execute()
  return rows.map((row) => row.organizationId)
}

/** The roles of an organisation's services, with the number of its people who have each. */
export const listOfferedRoles = (db: Db, organizationId: string): Promise<OfferedRole[]> =>
  db
    .selectFrom('serviceRoles as r')
    .innerJoin('organizationServices as o', 'o.serviceId', 'r.serviceId')
    .select((Object.keys(declared) as (keyof typeof declared)[]).map((name) => `r.${name}` as const))
    .select(
      sql<number>`(select count(*) from service_role_assignments a
        where a.service_id = r.service_id and a.role_id = r.role_id and a.organization_id = o.organization_id)`.as(
        'people',
      ),
    )
    .where('o.organizationId', '=', organizationId)
    .where('r.removedAt', 'is', null)
    .orderBy('r.nameSv')
    .orderBy('r.roleId')
    .execute()

export const findOrganization = (db: Db, organizationId: string) =>
  db
    .selectFrom('organizations')
    .select(['organizationId', 'name'])
    .where('organizationId', '=', organizationId)
    .executeTakeFirst()
