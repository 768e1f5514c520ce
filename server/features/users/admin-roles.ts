interface Roles {
  superUser?: boolean | undefined
  organizations?: readonly { organizationId: string; userRole: string }[] | undefined
  services?: readonly { organizationId: string; serviceId: string; userRole: string }[] | undefined
}

/** The roles that let somebody decide over others. */
export const adminRolesOf = ({ superUser, organizations = [], services = [] }: Roles): string[] => [
  ...(superUser ? ['superUser'] : []),
  ...organizations.flatMap((one) => (one.userRole === 'organizationAdmin' ? [one.organizationId] : [])),
  ...services.flatMap((one) => (one.userRole === 'serviceAdmin' ? [`${one.organizationId} ${one.serviceId}`] : [])),
]

/** Whether somebody has a role of an organisation, whatever it is called. */
export const hasRole = ({ userRole, roles }: { userRole: string; roles?: readonly unknown[] | null | undefined }) =>
  userRole === 'organizationAdmin' || (roles ?? []).length > 0

/** Whether a change gives or takes such a role. What it leaves out stays. */
export function changesAdmins(before: Roles, wanted: Roles): boolean {
  const after = {
    superUser: wanted.superUser ?? before.superUser,
    organizations: wanted.organizations ?? before.organizations,
    services: wanted.services ?? before.services,
  }
  return adminRolesOf(before).sort().join() !== adminRolesOf(after).sort().join()
}
