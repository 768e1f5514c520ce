import type { OrganizationRole, ServiceRole } from '#contract/roles.ts'
import type { User } from '#contract/users/users.ts'

/**
 * The organisations and services in a draft: roles by id, '' when removed. Records and not lists, so that concurrent
 * changes of two admins can be compared entry by entry.
 */
export interface Belongings {
  roles: Record<string, OrganizationRole | ''>
  services: Record<string, ServiceRole | ''>
}

/** Identifies a service in an organisation, as part of a field name. */
export const keyOf = ({ organizationId, serviceId }: { organizationId: string; serviceId: string }) =>
  `${organizationId}_${serviceId}`

const idsOf = (key: string) => {
  const [organizationId = '', serviceId = ''] = key.split('_')
  return { organizationId, serviceId }
}

export const belongingsOf = ({ organizations = [], services = [] }: Partial<User>): Belongings => ({
  roles: Object.fromEntries(organizations.map(({ organizationId, userRole }) => [organizationId, userRole])),
  services: Object.fromEntries(services.map((one) => [keyOf(one), one.userRole])),
})

/** The organisations that are not removed, in the form of the API. */
export const organizationsIn = ({ roles }: Belongings) =>
  Object.entries(roles).flatMap(([organizationId, userRole]) => (userRole ? [{ organizationId, userRole }] : []))

/** The services that are not removed, in organisations that are not removed. */
export const servicesIn = ({ roles, services }: Belongings) =>
  Object.entries(services).flatMap(([key, userRole]) => {
    const ids = idsOf(key)
    return userRole && roles[ids.organizationId] ? [{ ...ids, userRole }] : []
  })

/** The same for one organisation. */
export const servicesOf = (belongings: Belongings, organizationId: string) =>
  servicesIn(belongings).filter((one) => one.organizationId === organizationId)

/** The services that the draft adds. */
export const addedServices = (belongings: Belongings, before: Pick<User, 'services'>) => {
  const present = new Set(before.services.map(keyOf))
  return servicesIn(belongings).filter((one) => !present.has(keyOf(one)))
}
