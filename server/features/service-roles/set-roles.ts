import type { Actor } from '#contract/actor.ts'
import type { MessageKey } from '#contract/message-key.ts'
import type { AuditEntry } from '#server/platform/audit/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { found, Problem } from '#server/platform/problem.ts'
import { findHeldService, findHolder, type Holder, listHeld, setHeld, setPromised } from './holders.repository.ts'
import { findOrganization, listRoles } from './service-roles.repository.ts'

interface Context {
  db: Db
  audit: (entry: AuditEntry) => void
  actor: Pick<Actor, 'accountId'>
}

/**
 * Sets somebody's roles in a service that they have, or that an invitation promises, with one audit event where something
 * changes. The caller has checked that the actor may.
 *
 * @param change the roles, from those that they have
 * @throws Problem 404 for a person out of the actor's sight, or a service that the person does not have, 422 for a role of another service
 */
export async function setRoles(
  { db, audit, actor }: Context,
  holder: Holder,
  change: (present: readonly string[]) => readonly string[],
): Promise<void> {
  const organization = found(await findOrganization(db, holder.organizationId))
  const { email, invited } = found(await findHolder(db, holder, { lock: true }))
  const service = found(await findHeldService(db, holder))
  const declared = new Map((await listRoles(db, holder.serviceId)).map((role) => [role.roleId, role.key]))
  const before = (await listHeld(db, holder)).flatMap((one) => (one.serviceId === holder.serviceId ? one.roleId : []))
  const after = change(before)
  const unknown = after.findIndex((roleId) => !declared.has(roleId))
  if (unknown >= 0) throw refused(unknown)
  if (after.length === before.length && after.every((roleId) => before.includes(roleId))) return
  await (invited ? setPromised(db, holder, after, actor.accountId) : setHeld(db, holder, after))
  const text = (roleIds: readonly string[]) => ({
    serviceRoles: roleIds
      .map((roleId) => declared.get(roleId))
      .sort()
      .join(', '),
  })
  audit({
    name: 'updateUserServiceRoles',
    target: { id: holder.userId, label: email },
    before: text(before),
    after: { ...text(after), service: service.name, organization: organization.name },
    organizationIds: [organization.organizationId],
  })
}

const refused = (index: number) =>
  new Problem(422, 'validationFailed', {
    issues: [{ path: `roleIds.${index}`, message: 'notFound' satisfies MessageKey }],
  })
