import * as z from 'zod/mini'
import { email, forceQuery, id, longPaged, pageQuery, timestamp, version } from '#contract/fields/fields.ts'
import { portalRole } from '#contract/portal-roles.ts'
import { language, loginMethod, serviceRole } from '#contract/roles.ts'
import { route } from '#contract/route.ts'
import { membership } from '#contract/session/session.ts'
import { assignment } from './assignment.ts'
import { allUsersQuery, organizationUsersQuery, userSorts } from './user-filters.ts'
import { membershipChange, newUser, unprovenReason, userChange } from './user-forms.ts'
import { userSummary } from './user-summary.ts'

/**
 * A person, with only the fields that the actor may see. Organisations and services out of the actor's reach are left out.
 * If the person also belongs to such an organisation, fields that concern all organisations are null. An invitation has
 * only what the inviter wrote.
 */
export const user = z.object({
  accountId: id,
  email: z.string(),
  firstName: z.nullable(z.string()),
  lastName: z.nullable(z.string()),
  /** Unmasked for the person, masked (`19850101-****`) for others, null if missing; `revealSsn` shows it to super users. */
  ssn: z.nullable(z.string()),
  /** Whether the number is proven; otherwise somebody entered it. Null where `ssn` is. */
  ssnConfirmed: z.nullable(z.boolean()),
  phoneNumber: z.nullable(z.string()),
  preferredLanguage: z.nullable(language),
  loginMethod: z.nullable(loginMethod),
  samlConfigId: z.nullable(z.int()),
  superUser: z.boolean(),
  /** The role in the portal, with its days; like `superUser`, null unless the reader works for the operator or is the person. */
  portalRole: z.nullable(portalRole),
  portalRoleFrom: z.nullable(z.string()),
  portalRoleUntil: z.nullable(z.string()),
  pending: z.boolean(),
  awaitsSignIn: z.boolean(),
  passive: z.boolean(),
  /** Whether the owner of the address has proven it; null for an invitation. */
  emailProven: z.nullable(z.boolean()),
  /** The organisation whose link opened the account; told to super users alone. */
  openedFor: z.nullable(z.object({ organizationId: id, name: z.string() })),
  /** When the mail server refused the address for good; null once a mail got through. */
  emailRefusedAt: z.nullable(timestamp),
  lastLogin: z.nullable(timestamp),
  lastActive: z.nullable(timestamp),
  maxPassiveDays: z.nullable(z.int()),
  organizations: z.array(membership),
  services: z.array(assignment),
  /**
   * True if the caller may change names, ssn and phone. An organisation admin may not if the person also belongs to an
   * organisation out of the admin's reach, which the lists above leave out.
   */
  editable: z.boolean(),
  /** For the admin of one of several organisations, it says only whether something changed there. */
  version,
})
export type User = z.infer<typeof user>

/** `-` means no particular one. */
const idOrNone = z.union([id, z.literal('-')])
const person = z.strictObject({ id })

export const users = {
  list: route('GET /api/users', {
    summary: 'All users, searched by name, address or organisation and filtered, page by page',
    access: 'readAllUsers',
    mayLag: true,
    query: allUsersQuery,
    answer: longPaged(userSummary),
  }),
  ofOrganization: route('GET /api/organizations/{id}/users', {
    summary: "An organisation's people, searched and filtered, page by page",
    access: 'readPeople',
    mayLag: true,
    params: person,
    target: ({ params }) => ({ organizationId: params.id }),
    query: organizationUsersQuery,
    answer: longPaged(userSummary),
  }),
  ofService: route('GET /api/services/{serviceId}/{organizationId}/users', {
    summary: 'Who has a service in an organisation, page by page',
    access: 'readServiceUsers',
    mayLag: true,
    params: z.strictObject({ serviceId: id, organizationId: id }),
    target: ({ params }) => params,
    query: pageQuery(userSorts),
    answer: longPaged(userSummary),
  }),
  read: route('GET /api/users/{userId}/organization/{organizationId}/service/{serviceId}', {
    summary: 'A person with organisations and services as the caller may see them; - for none in particular',
    access: 'readUser',
    target: 'loaded',
    params: z.strictObject({ userId: id, organizationId: idOrNone, serviceId: idOrNone }),
    answer: user,
  }),
  services: route('GET /api/users/{id}/services', {
    summary: "A person's services in every organisation that the caller may see",
    access: 'readUser',
    target: 'loaded',
    params: person,
    answer: z.array(assignment),
  }),
  create: route('POST /api/users', {
    summary:
      'Adds a person; 409 addressNotProven for a super user, a role in the portal or several organisations, unless unprovenReason says why',
    access: 'manageUsers',
    freshProof: 'loaded',
    input: newUser,
    answer: user,
    status: 201,
    atomic: false,
    // Who operates the portal is an event of its own.
    audit: { one: 'createUser', andFollowing: 'updateUser' },
  }),
  update: route('PUT /api/users', {
    takesBack: '/api/users/{accountId}/organization/-/service/-',
    summary:
      'Changes a person; 409 addressNotProven for a membership or role of an account whose address nobody has proven, unless unprovenReason says why',
    access: 'updateUser',
    freshProof: 'loaded',
    target: 'loaded',
    input: userChange,
    answer: user,
    // The services that the person was signed in to are notified after the transaction.
    atomic: false,
    // One for the person and, of a person of several organisations, one for each of these in which roles change. A request
    // that changes nothing is not audited, here and below.
    audit: { many: 'updateUser' },
  }),
  remove: route('DELETE /api/users/{id}', {
    summary: 'Deletes a person, or withdraws an invitation; audit events keep the label they had',
    access: 'manageUsers',
    freshProof: true,
    params: person,
    answer: 'nothing',
    atomic: false,
    audit: 'deleteUser',
  }),
  revealSsn: route('POST /api/users/{id}/ssn/reveal', {
    summary: 'The whole personal number, which other answers mask',
    access: 'manageUsers',
    freshProof: true,
    params: z.strictObject({ id }),
    answer: z.object({ ssn: z.nullable(z.string()) }),
    // Someone without a number has nothing to show.
    audit: { atMost: ['revealSsn'] },
  }),
  setLastActive: route('POST /api/users/{id}/last-active/{value}', {
    summary: 'Says when a person was last active; a passive person can sign in again',
    access: 'administerUser',
    target: 'loaded',
    params: z.strictObject({ id, value: z.union([z.literal('now'), timestamp]) }),
    answer: 'nothing',
    audit: { many: 'updateUser' },
  }),
  setServices: route('POST /api/users/{userId}/organization/{organizationId}/service', {
    summary:
      "Sets a person's role and services in an organisation, and from when until when, as one change; a service admin sets only their own service. 409 lastAdmin for the only admin who gives up their own role, unless force=true; 409 lastAdminStays where no other admin without an end is left",
    access: 'changeMembership',
    freshProof: 'loaded',
    target: ({ params }) => ({ organizationId: params.organizationId }),
    params: z.strictObject({ userId: id, organizationId: id }),
    query: forceQuery,
    input: membershipChange,
    answer: 'nothing',
    audit: { atMost: ['updateUserServices'] },
  }),
  leave: route('DELETE /api/users/{userId}/organization/{organizationId}', {
    summary:
      'Removes a person from an organisation, with the services there; the person stays. An invitation is withdrawn. 409 lastAdmin for the only admin who leaves, unless force=true',
    access: 'removePeople',
    freshProof: 'loaded',
    target: ({ params }) => ({ organizationId: params.organizationId }),
    params: z.strictObject({ userId: id, organizationId: id }),
    query: forceQuery,
    answer: 'nothing',
    audit: 'removeUser',
  }),
  assignService: route('POST /api/services/{serviceId}/{organizationId}/users', {
    summary:
      'Assigns a service to a member of an organisation by exact e-mail address; 404 for other people, invited or not',
    access: 'handOutService',
    freshProof: 'loaded',
    params: z.strictObject({ serviceId: id, organizationId: id }),
    target: ({ params }) => params,
    input: z.strictObject({ email, userRole: z._default(z.optional(serviceRole), 'regular'), unprovenReason }),
    answer: 'nothing',
    audit: 'updateUserServices',
  }),
  revokeService: route('DELETE /api/services/{serviceId}/{organizationId}/users/{accountId}', {
    summary: 'Removes a service in an organisation from a person',
    access: 'handOutService',
    freshProof: 'loaded',
    params: z.strictObject({ serviceId: id, organizationId: id, accountId: id }),
    target: ({ params }) => params,
    answer: 'nothing',
    audit: 'updateUserServices',
  }),
}
