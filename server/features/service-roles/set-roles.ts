import type { Actor } from '#contract/actor.ts'
import type { Period } from '#contract/fields/period.ts'
import type { MessageKey } from '#contract/message-key.ts'
import { refuseOwnService } from '#server/accounts/own-permissions.ts'
import { periodText } from '#server/accounts/user-audit.ts'
import type { AuditEntry } from '#server/platform/audit/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { found, Problem } from '#server/platform/problem.ts'
import {
  findHeldService,
  findHolder,
  type Holder,
  listHeld,
  listHeldByGroups,
  setHeld,
  setPromised,
} from './holders.repository.ts'
import { findOrganization, listRoles } from './service-roles.repository.ts'

interface Context {
  db: Db
  audit: (entry: AuditEntry) => void
  actor: Actor
}

/**
 * Sets somebody's roles in a service that they have, or that an invitation promises, with one audit event where something
 * changes. The caller has checked that the actor may.
 *
 * @param change the roles, from those that they have
 * @param periods days of some of them; the others keep theirs
 * @throws Problem 403 `ownAccount`, 404 for a person out of the actor's sight, or a service that the person does not have, 422 for a role of another service
 */
export async function setRoles(
  { db, audit, actor }: Context,
  holder: Holder,
  change: (present: readonly string[]) => readonly string[],
  periods: ReadonlyMap<string, Period> = new Map(),
): Promise<void> {
  const organization = found(await findOrganization(db, holder.organizationId))
  const { email, invited } = found(await findHolder(db, holder, { lock: true }))
  const service = found(await findHeldService(db, holder))
  const declared = new Map((await listRoles(db, holder.serviceId)).map((role) => [role.roleId, role.key]))
  const before = (await listHeld(db, holder)).filter(({ serviceId }) => serviceId === holder.serviceId)
  const roleIds = change(before.map(({ roleId }) => roleId))
  const unknown = roleIds.findIndex((roleId) => !declared.has(roleId))
  if (unknown >= 0) throw refused(`roleIds.${unknown}`, 'notFound')
  // Of an invitation only the membership has days.
  const early = [...periods.values()].findIndex(({ validFrom, validUntil }) => invited && (validFrom || validUntil))
  if (early >= 0) throw refused(`periods.${early}`, 'periodOnceAccepted')
  const after = roleIds.map((roleId) => {
    const { validFrom = null, validUntil = null } = before.find((one) => one.roleId === roleId) ?? {}
    const given = periods.get(roleId)
    const days = {
      validFrom: given?.validFrom === undefined ? validFrom : given.validFrom,
      validUntil: given?.validUntil === undefined ? validUntil : given.validUntil,
    }
    if (days.validFrom && days.validUntil && days.validUntil < days.validFrom)
      throw refused(`periods.${[...periods.keys()].indexOf(roleId)}.validUntil`, 'endsBeforeStart')
    return { roleId, ...days }
  })
  const text = (held: readonly (Period & { roleId: string })[]) => ({
    serviceRoles: held
      .map(({ roleId, ...days }) => withPeriod(declared.get(roleId) ?? '', days))
      .sort()
      .join(', '),
  })
  if (text(before).serviceRoles === text(after).serviceRoles) return
  const isGiven = after.some((one) => !before.some((had) => text([had]).serviceRoles === text([one]).serviceRoles))
  if (isGiven) refuseOwnService(actor, holder.userId, holder)
  await (invited ? setPromised(db, holder, roleIds, actor.accountId) : setHeld(db, holder, after, actor.accountId))
  // What a group gives, too, is back at once.
  if ((await listHeldByGroups(db, holder)).some((roleId) => !roleIds.includes(roleId)))
    throw new Problem(409, 'serviceComesByGroup')
  audit({
    name: 'updateUserServiceRoles',
    target: { id: holder.userId, label: email },
    before: text(before),
    after: { ...text(after), service: service.name, organization: organization.name },
    organizationIds: [organization.organizationId],
  })
}

const withPeriod = (key: string, { validFrom, validUntil }: Period) => {
  const days = periodText(validFrom, validUntil)
  return days ? `${key} (${days})` : key
}

const refused = (path: string, message: MessageKey) =>
  new Problem(422, 'validationFailed', { issues: [{ path, message }] })
