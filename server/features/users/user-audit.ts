import type { Keys } from '#server/platform/keys.ts'
import { openSsn } from '#server/platform/ssn.ts'
import type { StoredUser } from './users.repository.ts'

/** A role is worth a word only where it is more than the usual one. */
const withRole = (name: string, userRole: string) => (userRole === 'regular' ? name : `${name} (${userRole})`)

/** Organisations as a person reads them. */
export const organizationsText = (organizations: StoredUser['organizations']): string =>
  organizations.map(({ name, userRole }) => withRole(name, userRole)).join(', ')

/** Services as a person reads them. */
export const servicesText = (services: StoredUser['services']): string =>
  services.map(({ name, organizationName, userRole }) => `${organizationName}: ${withRole(name, userRole)}`).join(', ')

/** A person as the event shows them; what is secret is masked there. */
export async function forAudit(keys: Keys, user: StoredUser): Promise<Record<string, unknown>> {
  const { accountId, ssnSealed, organizations, services, passiveAt, lastLogin: _, ...rest } = user
  return {
    ...rest,
    ssn: ssnSealed && (await openSsn(keys, accountId, ssnSealed)),
    passive: passiveAt !== null,
    organizations: organizationsText(organizations),
    services: servicesText(services),
  }
}

export const labelled = ({ accountId, email }: { accountId: string; email: string }) => ({
  id: accountId,
  label: email,
})

export const organizationIdsOf = (...users: StoredUser[]): string[] =>
  users.flatMap(({ organizations }) => organizations.map((one) => one.organizationId))
