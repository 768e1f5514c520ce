import type { Keys } from '#server/platform/secrets/keys.ts'
import { unsealSsn } from '#server/platform/secrets/ssn.ts'
import type { StoredUser } from './stored-user.repository.ts'

/** Names the role only if it is not `regular`. */
const withRole = (name: string, userRole: string) => (userRole === 'regular' ? name : `${name} (${userRole})`)

/** Organisations as readable text. */
export const organizationsText = (
  organizations: readonly Pick<StoredUser['organizations'][number], 'name' | 'userRole'>[],
): string => organizations.map(({ name, userRole }) => withRole(name, userRole)).join(', ')

/** Services as readable text. */
export const servicesText = (services: StoredUser['services']): string =>
  services.map(({ name, organizationName, userRole }) => `${organizationName}: ${withRole(name, userRole)}`).join(', ')

/** A person's values for an audit event, which masks secrets. */
export async function forAudit(keys: Keys, user: StoredUser): Promise<Record<string, unknown>> {
  const { accountId, ssnSealed, organizations, services, passiveAt, ...others } = user
  const { ssnProof: _, lastLogin: __, emailRefusedAt: ___, openedFor: ____, openedForName: _____, ...rest } = others
  return {
    ...rest,
    ssn: ssnSealed && (await unsealSsn(keys, accountId, ssnSealed)),
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
