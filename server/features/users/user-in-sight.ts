import { type Actor, can, type UserTarget } from '#contract/permissions.ts'
import type { User } from '#contract/users.ts'
import type { Keys } from '#server/platform/keys.ts'
import { maskSsn, openSsn } from '#server/platform/ssn.ts'
import type { StoredUser } from './users.repository.ts'

/** What permissions ask about a person. */
export const targetOf = ({ accountId, superUser, organizations, services }: StoredUser): UserTarget => ({
  accountId,
  superUser,
  organizationIds: organizations.map((one) => one.organizationId),
  services,
})

/** The organisations and services that this actor may see of a person. */
export function belongingsInSight(actor: Actor, user: StoredUser): Pick<StoredUser, 'organizations' | 'services'> {
  if (can(actor, 'readOwnOrganizations', user)) return { organizations: user.organizations, services: user.services }
  const services = user.services.filter((service) => can(actor, 'handOutService', service))
  const reached = new Set(services.map((service) => service.organizationId))
  const organizations = user.organizations.filter(
    (one) => can(actor, 'administerOrganization', one) || reached.has(one.organizationId),
  )
  return { organizations, services }
}

/** A person as this actor may see them. */
export async function userInSight(keys: Keys, actor: Actor, user: StoredUser): Promise<User> {
  const { accountId, ssnSealed, passiveAt, lastLogin, lastActive, ...rest } = user
  const ssn = ssnSealed && (await openSsn(keys, accountId, ssnSealed))
  const mayReadSsn = can(actor, 'readSsn', user)
  const mayReadPhone = mayReadSsn || can(actor, 'administerUser', targetOf(user))
  return {
    ...rest,
    accountId,
    ssn: ssn && !mayReadSsn ? maskSsn(ssn) : ssn,
    phoneNumber: mayReadPhone ? rest.phoneNumber : null,
    passive: passiveAt !== null,
    lastLogin: lastLogin?.toISOString() ?? null,
    lastActive: lastActive?.toISOString() ?? null,
    ...belongingsInSight(actor, user),
    editable: can(actor, 'updateUser', targetOf(user)),
  }
}
