import type { OrganizationRole, ServiceRole } from './roles.ts'

/** The user of a request, read from the database every time, never from the session. */
export interface Actor {
  accountId: string
  superUser: boolean
  organizations: readonly { organizationId: string; userRole: OrganizationRole }[]
  services: readonly { serviceId: string; organizationId: string; userRole: ServiceRole }[]
}

/** A user whom an actor wants to read or change. */
export interface UserTarget {
  accountId: string
  superUser: boolean
  organizationIds: readonly string[]
  services: readonly { organizationId: string; serviceId: string }[]
}

/** Super users only. */
export const superUsers = (actor: Actor) => actor.superUser

/** True for an admin of this organisation. */
export const administers = (actor: Actor, organizationId: string) =>
  actor.organizations.some((own) => own.organizationId === organizationId && own.userRole === 'organizationAdmin')

/** True for an admin of any organisation. */
export const administersAny = (actor: Actor) => actor.organizations.some((own) => own.userRole === 'organizationAdmin')

/** True for an admin of this service in this organisation. */
export const administersService = (
  actor: Actor,
  { organizationId, serviceId }: { organizationId: string; serviceId: string },
) =>
  actor.services.some(
    (own) => own.organizationId === organizationId && own.serviceId === serviceId && own.userRole === 'serviceAdmin',
  )

/** True for a super user in an organisation of others, whose people must not learn who that is. */
export const actsForOperator = (actor: Actor, organizationId: string) =>
  actor.superUser && !belongsTo(actor, organizationId)

/** True for a member of this organisation. */
export const belongsTo = (actor: Actor, organizationId: string) =>
  actor.organizations.some((own) => own.organizationId === organizationId)
