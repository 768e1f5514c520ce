import type { ServiceRole } from '#contract/roles.ts'
import { sameRoles } from './memberships.repository.ts'

interface Roles {
  superUser?: boolean | undefined
  portalRole?: string | null | undefined
  portalRoleFrom?: string | null | undefined
  portalRoleUntil?: string | null | undefined
  organizations?: readonly { organizationId: string; userRole: string }[] | undefined
  services?: readonly { organizationId: string; serviceId: string; userRole: string }[] | undefined
}

/** The roles that let somebody decide over others, or read about all. */
export const adminRolesOf = ({ superUser, organizations = [], services = [], ...portal }: Roles): string[] => [
  ...(superUser ? ['superUser'] : []),
  ...(portal.portalRole ? [`${portal.portalRole} ${portal.portalRoleFrom ?? ''} ${portal.portalRoleUntil ?? ''}`] : []),
  ...organizations.flatMap((one) => (one.userRole === 'organizationAdmin' ? [one.organizationId] : [])),
  ...services.flatMap((one) => (one.userRole === 'serviceAdmin' ? [`${one.organizationId} ${one.serviceId}`] : [])),
]

/** Whether somebody has a role of an organisation, whatever it is called. */
export const hasRole = ({ userRole, roles }: { userRole: string; roles?: readonly unknown[] | null | undefined }) =>
  userRole === 'organizationAdmin' || (roles ?? []).length > 0

const portalFields = ['portalRole', 'portalRoleFrom', 'portalRoleUntil'] as const
const portalRoleAfter = (before: Roles, wanted: Roles): Roles =>
  Object.fromEntries(portalFields.map((name) => [name, wanted[name] === undefined ? before[name] : wanted[name]]))

/** Whether a change gives or takes such a role. What it leaves out stays. */
export function changesAdmins(before: Roles, wanted: Roles): boolean {
  const after = {
    superUser: wanted.superUser ?? before.superUser,
    ...portalRoleAfter(before, wanted),
    organizations: wanted.organizations ?? before.organizations,
    services: wanted.services ?? before.services,
  }
  return adminRolesOf(before).sort().join() !== adminRolesOf(after).sort().join()
}

/** Those by which somebody is the admin of a service. */
export const admins = <Handed extends { userRole: ServiceRole }>(services: readonly Handed[]) =>
  services.filter((one) => one.userRole === 'serviceAdmin')

/** The services of which somebody becomes the admin, is so no more, or is so on other days. */
export function otherAdmins<Handed extends Parameters<typeof sameRoles>[0][number] & { userRole: ServiceRole }>(
  present: readonly Handed[],
  wanted: readonly Handed[],
): Handed[] {
  const of = (one: Handed, those: readonly Handed[]) =>
    admins(those).filter((other) => other.serviceId === one.serviceId)
  const all = new Map([...admins(present), ...admins(wanted)].map((one) => [one.serviceId, one]))
  return [...all.values()].filter((one) => !sameRoles(of(one, present), of(one, wanted)))
}
