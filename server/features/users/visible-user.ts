import { type Actor, belongsTo, type PersonTarget } from '#contract/actor.ts'
import { can } from '#contract/permissions.ts'
import type { User } from '#contract/users/users.ts'
import type { StoredUser } from '#server/accounts/stored-user.repository.ts'
import { isProof } from '#server/oidc/address-proof.ts'
import type { Keys } from '#server/platform/secrets/keys.ts'
import { maskSsn, unsealSsn } from '#server/platform/secrets/ssn.ts'
import { ofShared } from './shared-person.ts'

/** The permission target of a person. */
export const targetOf = ({
  accountId,
  operates,
  organizations,
  services,
}: Omit<PersonTarget, 'organizationIds'>): PersonTarget => ({
  accountId,
  operates,
  organizationIds: organizations.map((one) => one.organizationId),
  organizations,
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
  const services = user.services.filter((service) => can(actor, 'readServiceUsers', service))
  const reached = new Set(services.map((service) => service.organizationId))
  // The days of roles are for who reads the organisation's people.
  const organizations = user.organizations.flatMap(({ rolesUntil, ...one }) => {
    if (can(actor, 'readPeople', one)) return [{ ...one, ...(rolesUntil && { rolesUntil }) }]
    return reached.has(one.organizationId) ? [one] : []
  })
  return { organizations, services }
}

/**
 * The version of a person as this actor sees them. For the admin of one of several organisations, it moves with changes there
 * alone.
 */
export function visibleVersion(actor: Actor, user: StoredUser): number {
  if (can(actor, 'readAllUsers') || can(actor, 'readPersonalDetails', targetOf(user))) return user.version
  return visibleRoles(actor, user).organizations.reduce((sum, { version }) => sum + version, 0)
}

/** Returns the person with only the fields that this actor may see. */
export async function toVisibleUser(keys: Keys, actor: Actor, user: StoredUser): Promise<User> {
  const { accountId, ssnSealed, ssnProof, passiveAt, emailRefusedAt, lastLogin, lastActive, ...known } = user
  const { emailProof, openedFor, openedForName, operates: _, ...rest } = known
  const seesOperator = can(actor, 'readSuperUser', user)
  const ssn = ssnSealed && (await unsealSsn(keys, accountId, ssnSealed))
  const seen: User = {
    ...rest,
    accountId,
    // Super users ask for the whole number in a call of its own, which leaves an event.
    ssn: ssn && actor.accountId !== accountId ? maskSsn(ssn) : ssn,
    ssnConfirmed: ssnSealed && ssnProof !== null,
    superUser: rest.superUser && seesOperator,
    portalRole: seesOperator ? rest.portalRole : null,
    portalRoleFrom: seesOperator ? rest.portalRoleFrom : null,
    portalRoleUntil: seesOperator ? rest.portalRoleUntil : null,
    // The invitation was accepted; the first sign-in confirms it.
    pending: false,
    awaitsSignIn: rest.pending,
    passive: passiveAt !== null,
    emailProven: isProof(emailProof),
    openedFor:
      openedFor && openedForName && can(actor, 'manageUsers')
        ? { organizationId: openedFor, name: openedForName }
        : null,
    emailRefusedAt: emailRefusedAt?.toISOString() ?? null,
    lastLogin: lastLogin?.toISOString() ?? null,
    lastActive: lastActive?.toISOString() ?? null,
    ...visibleRoles(actor, user),
    editable: can(actor, 'updateUser', targetOf(user)),
    version: visibleVersion(actor, user),
  }
  return can(actor, 'readPersonalDetails', targetOf(user)) ? seen : ofShared(seen)
}
