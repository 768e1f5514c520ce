import type { OrganizationRole, ServiceRole } from './roles.ts'

/** Who asks: read from the database on every request, never from the session. */
export interface Actor {
  accountId: string
  superUser: boolean
  organizations: readonly { organizationId: string; userRole: OrganizationRole }[]
  services: readonly { serviceId: string; organizationId: string; userRole: ServiceRole }[]
}

/** Somebody whom an actor wants to look at or change. */
export interface UserTarget {
  accountId: string
  superUser: boolean
  organizationIds: readonly string[]
  services: readonly { organizationId: string; serviceId: string }[]
}

const administers = (actor: Actor, organizationId: string) =>
  actor.organizations.some((own) => own.organizationId === organizationId && own.userRole === 'organizationAdmin')
const administersAny = (actor: Actor) => actor.organizations.some((own) => own.userRole === 'organizationAdmin')
const administersService = (
  actor: Actor,
  { organizationId, serviceId }: { organizationId: string; serviceId: string },
) =>
  actor.services.some(
    (own) => own.organizationId === organizationId && own.serviceId === serviceId && own.userRole === 'serviceAdmin',
  )
const belongsTo = (actor: Actor, organizationId: string) =>
  actor.organizations.some((own) => own.organizationId === organizationId)

/**
 * Who may do what: the table of product.md, section 5, and the only place where it is decided.
 *
 * A rule with a target is also asked without one: "may this actor ever?". The door answers 403 where the actor never
 * may, and 404 where only this target is out of reach, so that nothing can be probed. The web app hides by the same rules.
 */
export const permissions = {
  readOwnServices: (actor: Actor, target?: { accountId: string; organizationId: string }) =>
    !target ||
    (actor.accountId === target.accountId && belongsTo(actor, target.organizationId)) ||
    actor.superUser ||
    administers(actor, target.organizationId),
  readOwnOrganizations: (actor: Actor, target?: { accountId: string }) =>
    !target || actor.superUser || actor.accountId === target.accountId,
  readApiDescription: (actor: Actor) => actor.superUser,
  /** Somewhere, and not only by being a super user: for them the header offers everybody instead. */
  administerColleagues: (actor: Actor) =>
    administersAny(actor) || actor.services.some((own) => own.userRole === 'serviceAdmin'),
  /** The people of an organisation, or of a service in it. */
  administerUsers: (actor: Actor, target?: { organizationId: string }) =>
    actor.superUser ||
    (target ? administers(actor, target.organizationId) : administersAny(actor)) ||
    actor.services.some(
      (own) => own.userRole === 'serviceAdmin' && (!target || own.organizationId === target.organizationId),
    ),
  manageUsers: (actor: Actor) => actor.superUser,
  /** The personal number as a whole; everybody else sees the date of birth. */
  readSsn: (actor: Actor, target?: { accountId: string }) => actor.superUser || actor.accountId === target?.accountId,
  readUser: (actor: Actor, target?: UserTarget) =>
    actor.superUser ||
    !target ||
    actor.accountId === target.accountId ||
    target.organizationIds.some((organizationId) => administers(actor, organizationId)) ||
    target.services.some((service) => administersService(actor, service)),
  /** Names, ssn and phone. Whoever could change those of a super user could become one. */
  updateUser: (actor: Actor, target?: UserTarget) =>
    actor.superUser ||
    (target
      ? !target.superUser &&
        target.organizationIds.length > 0 &&
        target.organizationIds.every((organizationId) => administers(actor, organizationId))
      : administersAny(actor)),
  /** What any admin of one of the person's organisations may: last active, password reset. */
  administerUser: (actor: Actor, target?: UserTarget) =>
    actor.superUser ||
    (target
      ? target.organizationIds.some((organizationId) => administers(actor, organizationId))
      : administersAny(actor)),
  handOutService: (actor: Actor, target?: { organizationId: string; serviceId: string }) =>
    actor.superUser ||
    (target
      ? administers(actor, target.organizationId) || administersService(actor, target)
      : administersAny(actor) || actor.services.some((own) => own.userRole === 'serviceAdmin')),
  /** Some service of the organisation; which one is asked of handOutService. */
  handOutServices: (actor: Actor, target?: { organizationId: string }) =>
    actor.superUser ||
    (target ? administers(actor, target.organizationId) : administersAny(actor)) ||
    actor.services.some(
      (own) => own.userRole === 'serviceAdmin' && (!target || own.organizationId === target.organizationId),
    ),
  manageServices: (actor: Actor) => actor.superUser,
  manageSamlConfigs: (actor: Actor) => actor.superUser,
  manageEmailTemplates: (actor: Actor) => actor.superUser,
  manageOrganizations: (actor: Actor) => actor.superUser,
  administerOrganization: (actor: Actor, target?: { organizationId: string }) =>
    actor.superUser || (target ? administers(actor, target.organizationId) : administersAny(actor)),
  readOrganization: (actor: Actor, target?: { organizationId: string }) =>
    actor.superUser || !target || belongsTo(actor, target.organizationId),
  administerEverything: (actor: Actor) => actor.superUser,
}

export type Permission = keyof typeof permissions
/** What a permission has to be asked about; undefined for one that depends on the actor alone. */
export type PermissionTarget<Name extends Permission> = (typeof permissions)[Name] extends (
  actor: Actor,
  target?: infer Target,
) => boolean
  ? unknown extends Target
    ? undefined
    : NonNullable<Target>
  : never

/** May this actor do this, to this target? Without a target: might the actor ever? */
export function can<Name extends Permission>(actor: Actor, name: Name, target?: PermissionTarget<Name>): boolean {
  const rule: (actor: Actor, target?: PermissionTarget<Name>) => boolean = permissions[name] as never
  return rule(actor, target)
}
