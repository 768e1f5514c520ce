import {
  type Actor,
  administersService,
  may,
  mayAll,
  mayAtHome,
  mayEverywhere,
  ownsService,
  type PersonTarget,
  superUsers,
  type UserTarget,
} from '#contract/actor.ts'
import { holdsNoMore } from '#contract/organization-roles/holds-no-more.ts'
import { serviceAdminNeeds } from '#contract/organization-roles/role-permissions.ts'

interface InOrganization {
  organizationId: string
}

export const permissions = {
  /** For those who look after people of an organisation or a service. Who reads all people without such a role gets the list of all users instead. */
  administerColleagues: (actor: Actor) => mayAtHome(actor, 'readPeople') || administersService(actor),
  /** The people of an organisation, or of a service in it. */
  administerUsers: (actor: Actor, target?: InOrganization) =>
    actor.superUser ||
    may(actor, 'readPeople', target?.organizationId) ||
    administersService(actor, { organizationId: target?.organizationId }),
  manageUsers: superUsers,
  /** The list of all users. */
  readAllUsers: (actor: Actor) => mayEverywhere(actor, 'readPeople'),
  readAllDetails: (actor: Actor) => mayEverywhere(actor, 'readDetails'),
  /**
   * Read phone, ssn, times and login method. Hidden from the admins of only one of the person's organisations. Who works for the
   * operator looks like somebody of several: what only the portal's operator may change would tell who that is.
   */
  readPersonalDetails: (actor: Actor, target?: UserTarget) =>
    mayEverywhere(actor, 'readDetails') ||
    !target ||
    actor.accountId === target.accountId ||
    (!target.operates &&
      target.organizationIds.length > 0 &&
      target.organizationIds.every((organizationId) => may(actor, 'readDetails', organizationId))),
  /** Customers must not see who operates the portal. */
  readSuperUser: (actor: Actor, target?: { accountId: string }) =>
    mayEverywhere(actor, 'readPeople') || actor.accountId === target?.accountId,
  readUser: (actor: Actor, target?: UserTarget) =>
    mayEverywhere(actor, 'readPeople') ||
    !target ||
    actor.accountId === target.accountId ||
    target.organizationIds.some((organizationId) => may(actor, 'readPeople', organizationId)) ||
    target.services.some((service) => administersService(actor, service)),
  /** Change names, ssn and phone. Someone who could change those of a person with more rights could become that person. */
  updateUser: (actor: Actor, target?: PersonTarget) =>
    actor.superUser ||
    (target
      ? !target.operates &&
        target.organizationIds.length > 0 &&
        target.organizationIds.every((organizationId) => may(actor, 'editPeople', organizationId)) &&
        holdsNoMore(actor, target, { signsIn: true })
      : may(actor, 'editPeople')),
  /** Allowed for who helps people of one of the person's organisations: last active, password reset. */
  administerUser: (actor: Actor, target?: UserTarget) =>
    actor.superUser ||
    (target
      ? target.organizationIds.some((organizationId) => may(actor, 'helpPeople', organizationId))
      : may(actor, 'helpPeople')),
  /** Who has a service in an organisation. */
  readServiceUsers: (actor: Actor, target?: InOrganization & { serviceId: string }) =>
    actor.superUser || may(actor, 'readPeople', target?.organizationId) || administersService(actor, target),
  handOutService: (actor: Actor, target?: InOrganization & { serviceId: string }) =>
    actor.superUser || may(actor, 'assignServices', target?.organizationId) || administersService(actor, target),
  /** For any service of the organisation; `handOutService` checks a specific one. */
  handOutServices: (actor: Actor, target?: InOrganization) =>
    actor.superUser ||
    may(actor, 'assignServices', target?.organizationId) ||
    administersService(actor, { organizationId: target?.organizationId }),
  /** Change something of a membership: its role, its days or its services. Each has a permission of its own. */
  changeMembership: (actor: Actor, target?: InOrganization) =>
    actor.superUser ||
    may(actor, 'assignServices', target?.organizationId) ||
    administersService(actor, { organizationId: target?.organizationId }) ||
    may(actor, 'editPeople', target?.organizationId) ||
    may(actor, 'giveRoles', target?.organizationId),
  /** Make someone the admin of a service in an organisation, or remove that role: of any service, or of the one that is named. */
  appointServiceAdmins: (actor: Actor, target?: InOrganization & { serviceId?: string | undefined }) =>
    actor.superUser || mayAll(actor, serviceAdminNeeds, target?.organizationId) || ownsService(actor, target),
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
