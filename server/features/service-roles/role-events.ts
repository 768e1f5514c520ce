import type { DeclaredRole } from '#contract/service-roles/service-roles.ts'
import type { AuditEntry } from '#server/platform/audit/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { findService, listOrganizationIds } from './service-roles.repository.ts'

type Change = { before: DeclaredRole; after?: DeclaredRole } | { before?: never; after: DeclaredRole }

/** The event of a role that was declared, changed or removed. Admins of the organisations that have the service see it. */
export async function eventOf(db: Db, { before, after }: Change): Promise<AuditEntry> {
  const role = (after ?? before) as DeclaredRole
  return {
    name: before ? (after ? 'updateServiceRole' : 'deleteServiceRole') : 'createServiceRole',
    target: { id: role.roleId, label: role.key },
    ...(before && { before: await forAudit(db, before) }),
    ...(after && { after: await forAudit(db, after) }),
    organizationIds: await listOrganizationIds(db, role.serviceId),
  }
}

const forAudit = async (db: Db, { roleId: _, serviceId, excludes, ...role }: DeclaredRole) => ({
  ...role,
  excludes: excludes.join(', '),
  service: (await findService(db, serviceId))?.name,
})
