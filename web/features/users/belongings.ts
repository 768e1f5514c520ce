import type { OrganizationRole, ServiceRole } from '#contract/roles.ts'
import type { User } from '#contract/users.ts'

/**
 * What a draft holds of a person's organisations and services: a role by id, and '' for what was taken away. An entry
 * for each, and no lists, so that the changes of two people can be told apart.
 */
export interface Belongings {
  roles: Record<string, OrganizationRole | ''>
  services: Record<string, ServiceRole | ''>
}

/** A service in an organisation, as the name of a field. */
export const keyOf = ({ organizationId, serviceId }: { organizationId: string; serviceId: string }) =>
  `${organizationId}_${serviceId}`

const idsOf = (key: string) => {
  const [organizationId = '', serviceId = ''] = key.split('_')
  return { organizationId, serviceId }
}

export const belongingsOf = ({ organizations, services }: Pick<User, 'organizations' | 'services'>): Belongings => ({
  roles: Object.fromEntries(organizations.map(({ organizationId, userRole }) => [organizationId, userRole])),
  services: Object.fromEntries(services.map((one) => [keyOf(one), one.userRole])),
})

/** The organisations that are left, as the API takes them. */
export const organizationsIn = ({ roles }: Belongings) =>
  Object.entries(roles).flatMap(([organizationId, userRole]) => (userRole ? [{ organizationId, userRole }] : []))

/** The services that are left in the organisations that are left. */
export const servicesIn = ({ roles, services }: Belongings) =>
  Object.entries(services).flatMap(([key, userRole]) => {
    const ids = idsOf(key)
    return userRole && roles[ids.organizationId] ? [{ ...ids, userRole }] : []
  })

/** The same of one organisation. */
export const servicesOf = (belongings: Belongings, organizationId: string) =>
  servicesIn(belongings).filter((one) => one.organizationId === organizationId)

/** Services that this draft adds to what was there. */
export const addedServices = (belongings: Belongings, before: Pick<User, 'services'>) => {
  const present = new Set(before.services.map(keyOf))
  return servicesIn(belongings).filter((one) => !present.has(keyOf(one)))
}
