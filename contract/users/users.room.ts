import {
  type Actor,
  administers,
  administersAny,
  administersService,
  superUsers,
  type UserTarget,
} from '#contract/actor.ts'

const administersSomeService = (actor: Actor, organizationId?: string) =>
  actor.services.some(
    (own) => own.userRole === 'serviceAdmin' && (!organizationId || own.organizationId === organizationId),
  )

export const permissions = {
  /** Admins of an organisation or service. Super users without such a role get the list of all users instead. */
  administerColleagues: (actor: Actor) => administersAny(actor) || administersSomeService(actor),
  /** The people of an organisation, or of a service in it. */
  administerUsers: (actor: Actor, target?: { organizationId: string }) =>
    actor.superUser ||
    (target ? administers(actor, target.organizationId) : administersAny(actor)) ||
    administersSomeService(actor, target?.organizationId),
  manageUsers: superUsers,
  /**
   * Read phone, ssn, times and login method. Hidden from the admins of only one of the person's organisations. A super user looks
   * like somebody of several: what only the portal's operator may change would tell who that is.
   */
  readPersonalDetails: (actor: Actor, target?: UserTarget) =>
    actor.superUser ||
    !target ||
    actor.accountId === target.accountId ||
    (!target.superUser && target.organizationIds.every((organizationId) => administers(actor, organizationId))),
  /** Customers must not see who operates the portal. */
  readSuperUser: (actor: Actor, target?: { accountId: string }) =>
    actor.superUser || actor.accountId === target?.accountId,
  readUser: (actor: Actor, target?: UserTarget) =>
    actor.superUser ||
    !target ||
    actor.accountId === target.accountId ||
    target.organizationIds.some((organizationId) => administers(actor, organizationId)) ||
    target.services.some((service) => administersService(actor, service)),
  /** Change names, ssn and phone. Someone who could change those of a super user could become one. */
  updateUser: (actor: Actor, target?: UserTarget) =>
    actor.superUser ||
    (target
      ? !target.superUser &&
        target.organizationIds.length > 0 &&
        target.organizationIds.every((organizationId) => administers(actor, organizationId))
      : administersAny(actor)),
  /** Allowed for any admin of one of the person's organisations: last active, password reset. */
  administerUser: (actor: Actor, target?: UserTarget) =>
    actor.superUser ||
    (target
      ? target.organizationIds.some((organizationId) => administers(actor, organizationId))
      : administersAny(actor)),
  handOutService: (actor: Actor, target?: { organizationId: string; serviceId: string }) =>
    actor.superUser ||
    (target
      ? administers(actor, target.organizationId) || administersService(actor, target)
      : administersAny(actor) || administersSomeService(actor)),
  /** For any service of the organisation; `handOutService` checks a specific one. */
  handOutServices: (actor: Actor, target?: { organizationId: string }) =>
    actor.superUser ||
    (target ? administers(actor, target.organizationId) : administersAny(actor)) ||
    administersSomeService(actor, target?.organizationId),
  /** Make someone the admin of a service in an organisation, or remove that role. */
  appointServiceAdmins: (actor: Actor, target?: { organizationId: string }) =>
    actor.superUser || (target ? administers(actor, target.organizationId) : administersAny(actor)),
}

export const auditEvents = [
  'createUser',
  'deleteUser',
  'updateUser',
  'removeUser',
  'updateUserServices',
  'exportUsers',
  'revealSsn',
] as const

export const screens = [
  '/user-administration',
  '/user-administration/create-user',
  '/user-administration/{accountId}',
  '/user-administration/hand-out/{serviceId}',
  '/user-administration/invite/{organizationId}',
  '/users',
  '/users/create-user',
  '/users/{accountId}',
] as const
