import type { DeclaredRole } from '#contract/service-roles/service-roles.ts'
import type { AuditEntry } from '#server/platform/audit/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { findService, listOrganizationIds } from './service-roles.repository.ts'

type Change = { before: DeclaredRole; after?: DeclaredRole } | { before?: never; after: DeclaredRole }

/** The event of a role that was declared, changed or removed. Admins of the organisations that have the service see it. */
export async function eventOf(db: Db, change: Change): Promise<AuditEntry> {
  const { serviceId } = (change.after ?? change.before) as DeclaredRole
  return (await createEventOf(db, serviceId))(change)
}

/** The same for many roles of a service. */
export async function createEventOf(db: Db, serviceId: string): Promise<(change: Change) => AuditEntry> {
  const service = (await findService(db, serviceId))?.name
  const organizationIds = await listOrganizationIds(db, serviceId)
  const forAudit = ({ roleId: _, serviceId: __, excludes, ...role }: DeclaredRole) => ({
    ...role,
    excludes: excludes.join(', '),
    service,
  })
  return ({ before, after }) => {
    const role = (after ?? before) as DeclaredRole
    return {
      name: before ? (after ? 'updateServiceRole' : 'deleteServiceRole') : 'createServiceRole',
      target: { id: role.roleId, label: role.key },
      ...(before && { before: forAudit(before) }),
      ...(after && { after: forAudit(after) }),
      organizationIds,
    }
  }
}
