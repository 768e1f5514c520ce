import type { Period, RolePeriod } from '#contract/fields/period.ts'
import type { OrganizationRole, ServiceRole } from '#contract/roles.ts'
import type { User } from '#contract/users/users.ts'

/**
 * The organisations and services in a draft: roles by id, '' when removed. Records and not lists, so that concurrent
 * changes of two admins can be compared entry by entry.
 */
export interface Belongings {
  roles: Record<string, OrganizationRole | ''>
  services: Record<string, ServiceRole | ''>
  /** First and last days, by `dayKey`; none is missing or ''. */
  days: Record<string, string>
}

export type DayName = keyof (Period & RolePeriod)
const ofServices = ['validFrom', 'validUntil'] as const
const ofOrganizations = [...ofServices, 'roleFrom', 'roleUntil'] as const

/** Identifies a day of a membership or service, as part of a field name. */
export const dayKey = (name: DayName, { organizationId, serviceId }: { organizationId: string; serviceId?: string }) =>
  [name, organizationId, serviceId].filter(Boolean).join('_')

type Place = Parameters<typeof dayKey>[1]
const daysOf = <Name extends DayName>(names: readonly Name[], days: Belongings['days'], place: Place) =>
  Object.fromEntries(names.map((name) => [name, days[dayKey(name, place)] || null])) as Record<Name, string | null>

/** Identifies a service in an organisation, as part of a field name. */
export const keyOf = ({ organizationId, serviceId }: { organizationId: string; serviceId: string }) =>
  `${organizationId}_${serviceId}`

const idsOf = (key: string) => {
  const [organizationId = '', serviceId = ''] = key.split('_')
  return { organizationId, serviceId }
}

const storedDays = <Name extends DayName>(names: readonly Name[], one: Place & { [name in Name]: string | null }) =>
  names.flatMap((name) => (one[name] === null ? [] : [[dayKey(name, one), one[name]] as const]))

export const belongingsOf = ({ organizations = [], services = [] }: Partial<User>): Belongings => ({
  roles: Object.fromEntries(organizations.map(({ organizationId, userRole }) => [organizationId, userRole])),
  services: Object.fromEntries(services.map((one) => [keyOf(one), one.userRole])),
  days: Object.fromEntries([
    ...organizations.flatMap((one) => storedDays(ofOrganizations, one)),
    ...services.flatMap((one) => storedDays(ofServices, one)),
  ]),
})

/** The organisations that are not removed, in the form of the API. */
export const organizationsIn = ({ roles, days }: Belongings) =>
  Object.entries(roles).flatMap(([organizationId, userRole]) => {
    if (!userRole) return []
    const own = daysOf(ofOrganizations, days, { organizationId })
    // A regular member has no role that could end.
    return [{ organizationId, userRole, ...own, ...(userRole === 'regular' && { roleFrom: null, roleUntil: null }) }]
  })

/** The services that are not removed, in organisations that are not removed. */
export const servicesIn = ({ roles, services, days }: Belongings) =>
  Object.entries(services).flatMap(([key, userRole]) => {
    const ids = idsOf(key)
    return userRole && roles[ids.organizationId] ? [{ ...ids, userRole, ...daysOf(ofServices, days, ids) }] : []
  })

/** The same for one organisation. */
export const servicesOf = (belongings: Belongings, organizationId: string) =>
  servicesIn(belongings).filter((one) => one.organizationId === organizationId)

/** The services that the draft adds. */
export const addedServices = (belongings: Belongings, before: Pick<User, 'services'>) => {
  const present = new Set(before.services.map(keyOf))
  return servicesIn(belongings).filter((one) => !present.has(keyOf(one)))
}
