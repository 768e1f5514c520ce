import { type Actor, belongsTo, type UserTarget } from '#contract/actor.ts'
import { can } from '#contract/permissions.ts'
import type { User } from '#contract/users.ts'
import type { Keys } from '#server/platform/secrets/keys.ts'
import { maskSsn, unsealSsn } from '#server/platform/secrets/ssn.ts'
import type { StoredUser } from './users.repository.ts'

/** The permission target of a person. */
export const targetOf = ({ accountId, superUser, organizations, services }: StoredUser): UserTarget => ({
  accountId,
  superUser,
  organizationIds: organizations.map((one) => one.organizationId),
  services,
})

/** The organisations and services of a person that this actor may see. */
export function visibleRoles(actor: Actor, user: StoredUser): Pick<StoredUser, 'organizations' | 'services'> {
  if (can(actor, 'administerEverything')) return { organizations: user.organizations, services: user.services }
  if (actor.accountId === user.accountId)
    return {
      organizations: user.organizations.filter((own) => belongsTo(actor, own.organizationId)),
      services: user.services.filter((own) => belongsTo(actor, own.organizationId)),
    }
  const services = user.services.filter((service) => can(actor, 'handOutService', service))
  const reached = new Set(services.map((service) => service.organizationId))
  const organizations = user.organizations.filter(
    (one) => can(actor, 'administerOrganization', one) || reached.has(one.organizationId),
  )
  return { organizations, services }
}

// Fields that concern all organisations of a person, and so are hidden from the admin of only one.
const unseen = {
  ssn: null,
  phoneNumber: null,
  preferredLanguage: null,
  samlConfigId: null,
  lastLogin: null,
  lastActive: null,
  maxPassiveDays: null,
}

/** Returns the person with only the fields that this actor may see. */
export async function toVisibleUser(keys: Keys, actor: Actor, user: StoredUser): Promise<User> {
  const { accountId, ssnSealed, passiveAt, emailRefusedAt, lastLogin, lastActive, emailProof: _, ...rest } = user
  const ssn = ssnSealed && (await unsealSsn(keys, accountId, ssnSealed))
  return {
    ...rest,
    accountId,
    // Super users ask for the whole number in a call of its own, which leaves an event.
    ssn: ssn && actor.accountId !== accountId ? maskSsn(ssn) : ssn,
    superUser: rest.superUser && can(actor, 'readSuperUser', user),
    awaitsSignIn: rest.pending,
    passive: passiveAt !== null,
    emailRefusedAt: emailRefusedAt?.toISOString() ?? null,
    lastLogin: lastLogin?.toISOString() ?? null,
    lastActive: lastActive?.toISOString() ?? null,
    ...visibleRoles(actor, user),
    editable: can(actor, 'updateUser', targetOf(user)),
    ...(can(actor, 'readPersonalDetails', targetOf(user)) ? {} : unseen),
  }
}
