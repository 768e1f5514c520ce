import type { RolePermission, ScopedRole } from './organization-roles/role-permissions.ts'
import { type PortalRole, permissionsOfPortalRole } from './portal-roles.ts'
import type { OrganizationRole, ServiceRole } from './roles.ts'

/** A role for a part of an organisation, with the part. */
export interface Scoped {
  role: ScopedRole
  /** Of the service or the group. */
  scopeId: string
}

/** A membership, with the roles of the organisation that somebody holds beside the admin role, and those for a part of it. */
export interface Belonging {
  organizationId: string
  userRole: OrganizationRole
  roles?: readonly { permissions: readonly RolePermission[] }[] | null | undefined
  scoped?: readonly Scoped[] | null | undefined
}

/** The user of a request, read from the database every time, never from the session. */
export interface Actor {
  accountId: string
  superUser: boolean
  /** Today's role in the portal, beside super user. */
  portalRole?: PortalRole | null | undefined
  organizations: readonly Belonging[]
  services: readonly { serviceId: string; organizationId: string; userRole: ServiceRole }[]
}

/** A user whom an actor wants to read or change. */
export interface UserTarget {
  accountId: string
  /** A super user, or somebody with a portal role. */
  operates: boolean
  organizationIds: readonly string[]
  services: readonly { organizationId: string; serviceId: string }[]
}

/** The same with what the user may do: a person who could sign in as another would have the other's rights. */
export interface PersonTarget extends UserTarget {
  organizations: Actor['organizations']
  services: Actor['services']
}

/** Super users only. */
export const superUsers = (actor: Actor) => actor.superUser

const holds = ({ userRole, roles }: Belonging, permission: RolePermission) =>
  userRole === 'organizationAdmin' || roles?.some(({ permissions }) => permissions.includes(permission)) === true

/** True for super users, and for holders of a portal role that allows it. */
export const mayEverywhere = (actor: Pick<Actor, 'superUser' | 'portalRole'>, permission: RolePermission) =>
  actor.superUser || permissionsOfPortalRole(actor.portalRole).includes(permission)

/** True if a role of the actor allows it in this organisation, or in every one; without one, in any. Admins may everything. */
export const may = (
  actor: Pick<Actor, 'organizations' | 'portalRole'>,
  permission: RolePermission,
  organizationId?: string,
) => permissionsOfPortalRole(actor.portalRole).includes(permission) || mayAtHome(actor, permission, organizationId)

/** The same by the actor's own memberships alone. */
export const mayAtHome = (actor: Pick<Actor, 'organizations'>, permission: RolePermission, organizationId?: string) =>
  actor.organizations.some(
    (own) => (organizationId === undefined || own.organizationId === organizationId) && holds(own, permission),
  )

/**
 * The organisation whose log has what somebody read there; none where a right of the portal allowed it, or its admins would see
 * a member read what only the operator's people may.
 */
export const readAtHome = (actor: Pick<Actor, 'organizations'>, permission: RolePermission, organizationId: string) =>
  mayAtHome(actor, permission, organizationId) ? [organizationId] : []

/** The same for several, all in one organisation. */
export const mayAll = (actor: Actor, permissions: readonly RolePermission[], organizationId?: string) =>
  actor.organizations.some(
    (own) =>
      (organizationId === undefined || own.organizationId === organizationId) &&
      permissions.every((permission) => holds(own, permission)),
  )

/** True with this role for the part; without a part, for any of the organisation, or of any organisation. */
export const holdsScoped = (
  actor: Pick<Actor, 'organizations'>,
  role: Scoped['role'],
  { organizationId, scopeId }: { organizationId?: string | undefined; scopeId?: string | undefined } = {},
) =>
  actor.organizations.some(
    (own) =>
      (organizationId === undefined || own.organizationId === organizationId) &&
      own.scoped?.some((one) => one.role === role && (scopeId === undefined || one.scopeId === scopeId)) === true,
  )

/** The services that somebody hands out in organisations, as their admin or owner. */
export const administeredServices = ({ organizations, services }: Pick<Actor, 'organizations' | 'services'>) => [
  ...services.flatMap(({ organizationId, serviceId, userRole }) =>
    userRole === 'serviceAdmin' ? [{ organizationId, serviceId }] : [],
  ),
  ...organizations.flatMap(({ organizationId, scoped }) =>
    (scoped ?? []).flatMap(({ role, scopeId }) =>
      role === 'serviceOwner' ? [{ organizationId, serviceId: scopeId }] : [],
    ),
  ),
]

/** True for an admin or the owner of this service in this organisation; without one, of any of the organisation, or at all. */
export const administersService = (
  actor: Pick<Actor, 'organizations' | 'services'>,
  { organizationId, serviceId }: { organizationId?: string | undefined; serviceId?: string | undefined } = {},
) =>
  administeredServices(actor).some(
    (own) =>
      (organizationId === undefined || own.organizationId === organizationId) &&
      (serviceId === undefined || own.serviceId === serviceId),
  )

interface ServiceThere {
  organizationId: string
  serviceId?: string | undefined
}

/** True for the owner of this service in this organisation, or without a target of any. */
export const ownsService = (actor: Pick<Actor, 'organizations'>, target?: ServiceThere) =>
  (!target || target.serviceId !== undefined) &&
  holdsScoped(actor, 'serviceOwner', target && { organizationId: target.organizationId, scopeId: target.serviceId })

/** True for a super user or the holder of a portal role in an organisation of others, whose people must not learn who that is. */
export const actsForOperator = (actor: Actor, organizationId: string) =>
  (actor.superUser || Boolean(actor.portalRole)) && !belongsTo(actor, organizationId)

/** True for a member of this organisation. */
export const belongsTo = (actor: Actor, organizationId: string) =>
  actor.organizations.some((own) => own.organizationId === organizationId)
