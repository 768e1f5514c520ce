import * as z from 'zod/mini'
import {
  email,
  id,
  limited,
  maxInteger,
  message,
  optionalPhoneNumber,
  requiredText,
  text,
  version,
} from '#contract/fields/fields.ts'
import { requiredName } from '#contract/fields/names.ts'
import { newPassword } from '#contract/fields/password.ts'
import { endsAfterBegin, optionalDay, period, roleEndsAfterBegin, rolePeriod } from '#contract/fields/period.ts'
import { optionalSsn, optionalSsnOrMasked } from '#contract/fields/ssn.ts'
import { isCompany, isLocal, needsNumber } from '#contract/login-methods.ts'
import type { FieldLabels } from '#contract/message-key.ts'
import { portalRole } from '#contract/portal-roles.ts'
import { type LoginMethod, language, loginMethod, organizationRole, serviceRole } from '#contract/roles.ts'

const role = z
  .strictObject({ organizationId: id, userRole: organizationRole, ...period, ...rolePeriod })
  .check(endsAfterBegin, roleEndsAfterBegin)
const handedOut = z
  .strictObject({ organizationId: id, serviceId: id, userRole: serviceRole, ...period })
  .check(endsAfterBegin)
/** Checks that a list has no duplicates. */
const unique = <Item>(key: (item: Item) => string, error: 'organizationAlreadyAdded' | 'serviceAlreadyAdded') =>
  z.refine<Item[]>((list) => new Set(list.map(key)).size === list.length, message(error))

/** Organisations with roles, without duplicates. */
const organizationRoles = z.array(role).check(
  limited(1000),
  unique((one) => one.organizationId, 'organizationAlreadyAdded'),
)
/** Services with roles and organisations, without duplicates. */
const serviceRoles = z.array(handedOut).check(
  limited(5000),
  unique((one) => `${one.organizationId} ${one.serviceId}`, 'serviceAlreadyAdded'),
)

/** Days; empty is null, and then the organisation's value applies. */
export const ownPassiveDays = z.nullable(
  z
    .int(message('invalidNumber'))
    .check(z.minimum(1, message('invalidNumber')), z.maximum(36_500, message('invalidNumber'))),
)

const samlConfigId = z.nullable(z.int().check(z.minimum(1), z.maximum(maxInteger)))

/** Why a super user gives access to an account whose address nobody has proven; without it 409 `addressNotProven`. */
export const unprovenReason = z.optional(requiredText(500))

const fields = {
  firstName: requiredName(100),
  lastName: requiredName(100),
  ssn: optionalSsn,
  phoneNumber: optionalPhoneNumber,
  preferredLanguage: z.nullable(language),
  loginMethod,
  samlConfigId,
  superUser: z.boolean(),
  portalRole: z.nullable(portalRole),
  portalRoleFrom: optionalDay,
  portalRoleUntil: optionalDay,
  maxPassiveDays: ownPassiveDays,
}
/** The fields of a person that forms set, without organisations and services. */
export const personForm = z.strictObject(fields)

export const personLabels: FieldLabels<typeof fields & { email: string }> = {
  email: 'email',
  firstName: 'firstName',
  lastName: 'lastName',
  ssn: 'ssn',
  phoneNumber: 'phoneNumber',
  preferredLanguage: 'preferredLanguage',
  loginMethod: 'loginMethod',
  samlConfigId: 'samlConfig',
  superUser: 'superUser',
  portalRole: 'portalRole',
  portalRoleFrom: 'roleFrom',
  portalRoleUntil: 'roleUntil',
  maxPassiveDays: 'maxPassiveDays',
}

/** The last day of a role in the portal is not before its first. */
export const portalRoleIsOrdered = ({ portalRoleFrom: first, portalRoleUntil: last }: PortalRoleFields) =>
  !first || !last || last >= first
/** Days belong to a role. */
export const hasNoIdleDays = ({ portalRole, portalRoleFrom, portalRoleUntil }: PortalRoleFields) =>
  Boolean(portalRole) || !(portalRoleFrom || portalRoleUntil)
interface PortalRoleFields {
  portalRole?: string | null | undefined
  portalRoleFrom?: string | null | undefined
  portalRoleUntil?: string | null | undefined
}

interface SignInFields {
  loginMethod: LoginMethod
  ssn: string | null
  samlConfigId: number | null
}
const numberIsNeeded = z.refine<SignInFields>((form) => !needsNumber(form.loginMethod) || form.ssn !== null, {
  error: message('requiredWithBankId'),
  path: ['ssn'],
})
const configIsNeeded = z.refine<SignInFields>((form) => !isCompany(form.loginMethod) || form.samlConfigId !== null, {
  error: message('samlConfigRequired'),
  path: ['samlConfigId'],
})

// The rest of the portal imports it from here.
export { isLocal }

/** The form for a new person. The password is for the local methods and must be changed at the first sign-in. */
export const newUser = z
  .strictObject({
    email,
    ...fields,
    ssn: z._default(z.optional(fields.ssn), null),
    phoneNumber: z._default(z.optional(fields.phoneNumber), null),
    preferredLanguage: z._default(z.optional(fields.preferredLanguage), null),
    samlConfigId: z._default(z.optional(fields.samlConfigId), null),
    superUser: z._default(z.optional(fields.superUser), false),
    portalRole: z._default(z.optional(fields.portalRole), null),
    portalRoleFrom: z._default(z.optional(fields.portalRoleFrom), null),
    portalRoleUntil: z._default(z.optional(fields.portalRoleUntil), null),
    maxPassiveDays: z._default(z.optional(fields.maxPassiveDays), null),
    password: z.optional(newPassword),
    confirmNewPassword: z.optional(text(1024)),
    organizations: z._default(z.optional(organizationRoles), []),
    services: z._default(z.optional(serviceRoles), []),
    unprovenReason,
  })
  .check(
    numberIsNeeded,
    configIsNeeded,
    z.refine(hasNoIdleDays, { error: message('required'), path: ['portalRole'] }),
    z.refine(portalRoleIsOrdered, { error: message('endsBeforeStart'), path: ['portalRoleUntil'] }),
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

/**
 * A change of a person. Fields left out stay unchanged. An organisation admin may change names, ssn and phone; any other
 * difference gives 403. The address cannot be changed.
 */
export const userChange = z.extend(
  z.partial(
    z.strictObject({
      email,
      ...fields,
      ssn: optionalSsnOrMasked,
      organizations: organizationRoles,
      services: serviceRoles,
    }),
  ),
  { accountId: id, version: z.optional(version), unprovenReason },
)
export type UserChange = z.infer<typeof userChange>

const servicesRow = z.strictObject({ serviceId: id, userRole: serviceRole, ...period }).check(endsAfterBegin)

/** Role, days and services of a person in one organisation. A role or day that is left out stays. */
export const membershipChange = z
  .strictObject({
    version: z.optional(version),
    userRole: z.optional(organizationRole),
    ...period,
    ...rolePeriod,
    services: z.array(servicesRow).check(
      limited(1000),
      unique((one) => one.serviceId, 'serviceAlreadyAdded'),
    ),
    unprovenReason,
  })
  .check(endsAfterBegin, roleEndsAfterBegin)
