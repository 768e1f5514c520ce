import * as z from 'zod/mini'
import { email, id, message, moment, optionalText, paged, pageQuery, requiredText } from './fields.ts'
import { newPassword } from './password.ts'
import { type LoginMethod, language, loginMethod, organizationRole, serviceRole } from './roles.ts'
import { route } from './route.ts'
import { version } from './services.ts'
import { membership } from './session.ts'
import { optionalSsn, optionalSsnOrMasked } from './ssn.ts'

/** Optional; otherwise +46 and 7 to 13 digits. An empty one is null. */
export const optionalPhoneNumber = z.pipe(
  optionalText(20),
  z.nullable(z.string().check(z.regex(/^\+46[0-9]{7,13}$/, message('invalidPhoneNumber')))),
)

/** A service that somebody has, and in which organisation. */
export const assignment = z.object({
  serviceId: id,
  name: z.string(),
  url: z.string(),
  organizationId: id,
  organizationName: z.string(),
  userRole: serviceRole,
})
export type Assignment = z.infer<typeof assignment>

/** A person in a list. Never the personal number. */
export const userSummary = z.object({
  accountId: id,
  email: z.string(),
  firstName: z.nullable(z.string()),
  lastName: z.nullable(z.string()),
  organizations: z.array(z.object({ organizationId: id, name: z.string() })),
  services: z.array(z.object({ serviceId: id, name: z.string() })),
  superUser: z.boolean(),
  pending: z.boolean(),
  passive: z.boolean(),
  lastActive: z.nullable(moment),
})
export type UserSummary = z.infer<typeof userSummary>

/** A person as this actor may see them: organisations and services out of the actor's reach are left out. */
export const user = z.object({
  accountId: id,
  email: z.string(),
  firstName: z.nullable(z.string()),
  lastName: z.nullable(z.string()),
  /** Whole for the person and super users, masked (`19850101-****`) for others, null where there is none. */
  ssn: z.nullable(z.string()),
  phoneNumber: z.nullable(z.string()),
  preferredLanguage: z.nullable(language),
  loginMethod,
  samlConfigId: z.nullable(z.int()),
  superUser: z.boolean(),
  pending: z.boolean(),
  passive: z.boolean(),
  lastLogin: z.nullable(moment),
  lastActive: z.nullable(moment),
  maxPassiveDays: z.nullable(z.int()),
  organizations: z.array(membership),
  services: z.array(assignment),
  version,
})
export type User = z.infer<typeof user>

const userSorts = ['email', 'firstName', 'lastName'] as const

const role = z.strictObject({ organizationId: id, userRole: organizationRole })
const handedOut = z.strictObject({ organizationId: id, serviceId: id, userRole: serviceRole })
const once = <Item>(key: (item: Item) => string, error: 'organizationAlreadyAdded' | 'serviceAlreadyAdded') =>
  z.refine<Item[]>((list) => new Set(list.map(key)).size === list.length, message(error))

/** Organisations with a role each; a second mention of one is refused. */
const organizationRoles = z.array(role).check(
  z.maxLength(1000),
  once((one) => one.organizationId, 'organizationAlreadyAdded'),
)
/** Services with a role each, and in which organisation; a second mention of one is refused. */
const serviceRoles = z.array(handedOut).check(
  z.maxLength(5000),
  once((one) => `${one.organizationId} ${one.serviceId}`, 'serviceAlreadyAdded'),
)

const profile = {
  firstName: requiredText(100),
  lastName: requiredText(100),
  ssn: z._default(z.optional(optionalSsn), null),
  phoneNumber: z._default(z.optional(optionalPhoneNumber), null),
  preferredLanguage: z._default(z.optional(z.nullable(language)), null),
  loginMethod,
  samlConfigId: z._default(z.optional(z.nullable(z.int().check(z.minimum(1)))), null),
  superUser: z._default(z.optional(z.boolean()), false),
  maxPassiveDays: z._default(z.optional(z.nullable(z.int().check(z.minimum(1), z.maximum(36_500)))), null),
}

interface SignInFields {
  loginMethod: LoginMethod
  ssn: string | null
  samlConfigId: number | null
}
const bankidNeedsSsn = z.refine<SignInFields>((form) => form.loginMethod !== 'bankid' || form.ssn !== null, {
  error: message('requiredWithBankId'),
  path: ['ssn'],
})
const samlNeedsConfig = z.refine<SignInFields>((form) => form.loginMethod !== 'saml' || form.samlConfigId !== null, {
  error: message('samlConfigRequired'),
  path: ['samlConfigId'],
})

/** The local methods, the only ones with a password of the portal's own. */
export const isLocal = (method: LoginMethod) => method === 'local' || method === 'local2FA'

/** What a super user fills in for a new person. The password is for the local methods and must be changed at first sign-in. */
export const newUser = z
  .strictObject({
    email,
    ...profile,
    password: z.optional(newPassword),
    confirmNewPassword: z.optional(z.string()),
    organizations: z._default(z.optional(organizationRoles), []),
    services: z._default(z.optional(serviceRoles), []),
  })
  .check(
    bankidNeedsSsn,
    samlNeedsConfig,
    z.refine((form) => !isLocal(form.loginMethod) || form.password !== undefined, {
      error: message('required'),
      path: ['password'],
    }),
    z.refine((form) => isLocal(form.loginMethod) || form.password === undefined, {
      error: message('passwordNotForMethod'),
      path: ['password'],
    }),
    z.refine((form) => form.password === form.confirmNewPassword, {
      error: message('passwordsDoNotMatch'),
      path: ['confirmNewPassword'],
    }),
  )
export type NewUser = z.infer<typeof newUser>

/**
 * A change of a person: what is left out stays. An organisation admin may send names, ssn and phone; anything else that
 * differs is refused with 403. The address cannot be changed.
 */
export const userChange = z.strictObject({
  accountId: id,
  version: z.optional(version),
  email: z.optional(email),
  firstName: z.optional(requiredText(100)),
  lastName: z.optional(requiredText(100)),
  ssn: z.optional(optionalSsnOrMasked),
  phoneNumber: z.optional(optionalPhoneNumber),
  preferredLanguage: z.optional(z.nullable(language)),
  loginMethod: z.optional(loginMethod),
  samlConfigId: z.optional(z.nullable(z.int().check(z.minimum(1)))),
  superUser: z.optional(z.boolean()),
  maxPassiveDays: z.optional(z.nullable(z.int().check(z.minimum(1), z.maximum(36_500)))),
  organizations: z.optional(organizationRoles),
  services: z.optional(serviceRoles),
})
export type UserChange = z.infer<typeof userChange>

/** `-` stands for "none in particular". */
const idOrNone = z.union([id, z.literal('-')])
const person = z.strictObject({ id })

export const users = {
  list: route('GET /api/users', {
    summary: 'Everybody, searched by name, address or organisation, page by page',
    access: 'manageUsers',
    query: pageQuery(userSorts),
    answer: paged(userSummary),
  }),
  ofOrganization: route('GET /api/organizations/{id}/users', {
    summary: "An organisation's people, page by page",
    access: 'administerOrganization',
    params: person,
    target: ({ params }) => ({ organizationId: params.id }),
    query: pageQuery(userSorts),
    answer: paged(userSummary),
  }),
  ofService: route('GET /api/services/{serviceId}/{organizationId}/users', {
    summary: 'Who has a service in an organisation, page by page',
    access: 'handOutService',
    params: z.strictObject({ serviceId: id, organizationId: id }),
    target: ({ params }) => params,
    query: pageQuery(userSorts),
    answer: paged(userSummary),
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
  adminServices: route('GET /api/users/{id}/admin-services', {
    summary: 'The services that a person administers',
    access: 'readUser',
    target: 'loaded',
    params: person,
    answer: z.array(assignment),
  }),
  create: route('POST /api/users', {
    summary: 'Adds a person',
    access: 'manageUsers',
    input: newUser,
    answer: user,
    status: 201,
    atomic: false,
    audit: 'createUser',
  }),
  update: route('PUT /api/users', {
    summary: 'Changes a person',
    access: 'updateUser',
    target: 'loaded',
    input: userChange,
    answer: user,
    audit: 'updateUser',
  }),
  remove: route('DELETE /api/users/{id}', {
    summary: 'Erases a person; audit events keep the label they had',
    access: 'manageUsers',
    params: person,
    answer: 'nothing',
    audit: 'deleteUser',
  }),
  setLastActive: route('POST /api/users/{id}/last-active/{value}', {
    summary: 'Says when a person was last active; a passive person can sign in again',
    access: 'administerUser',
    target: 'loaded',
    params: z.strictObject({ id, value: z.union([z.literal('now'), moment]) }),
    answer: 'nothing',
    audit: 'updateUser',
  }),
  setServices: route('POST /api/users/{userId}/organization/{organizationId}/service', {
    summary:
      "Sets a person's role and services in an organisation as one change; a service admin sets the own service alone",
    access: 'handOutServices',
    target: ({ params }) => ({ organizationId: params.organizationId }),
    params: z.strictObject({ userId: id, organizationId: id }),
    input: z.strictObject({
      userRole: z.optional(organizationRole),
      services: z.array(z.strictObject({ serviceId: id, userRole: serviceRole })).check(
        z.maxLength(1000),
        once((one) => one.serviceId, 'serviceAlreadyAdded'),
      ),
    }),
    answer: 'nothing',
    audit: 'updateUserServices',
  }),
  leave: route('DELETE /api/users/{userId}/organization/{organizationId}', {
    summary: 'Removes a person from an organisation, with the services there; the person stays',
    access: 'administerOrganization',
    target: ({ params }) => ({ organizationId: params.organizationId }),
    params: z.strictObject({ userId: id, organizationId: id }),
    answer: 'nothing',
    audit: 'removeUser',
  }),
}
