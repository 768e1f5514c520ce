import type { RolePermission } from './organization-roles/role-permissions.ts'
import { type PortalRole, permissionsOfPortalRole } from './portal-roles.ts'
import type { OrganizationRole, ServiceRole } from './roles.ts'

/** A membership, with the roles of the organisation that somebody holds beside the admin role. */
export interface Belonging {
  organizationId: string
  userRole: OrganizationRole
  roles?: readonly { permissions: readonly RolePermission[] }[] | null | undefined
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

/** The same for several, all in one organisation. */
export const mayAll = (actor: Actor, permissions: readonly RolePermission[], organizationId?: string) =>
  actor.organizations.some(
    (own) =>
      (organizationId === undefined || own.organizationId === organizationId) &&
      permissions.every((permission) => holds(own, permission)),
  )

/** True for an admin of this service in this organisation. */
export const administersService = (
  actor: Pick<Actor, 'services'>,
  { organizationId, serviceId }: { organizationId: string; serviceId: string },
) =>
  actor.services.some(
    (own) => own.organizationId === organizationId && own.serviceId === serviceId && own.userRole === 'serviceAdmin',
  )

/** True for a super user or the holder of a portal role in an organisation of others, whose people must not learn who that is. */
export const actsForOperator = (actor: Actor, organizationId: string) =>
  (actor.superUser || Boolean(actor.portalRole)) && !belongsTo(actor, organizationId)

/** True for a member of this organisation. */
export const belongsTo = (actor: Actor, organizationId: string) =>
  actor.organizations.some((own) => own.organizationId === organizationId)
