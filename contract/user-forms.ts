import * as z from 'zod/mini'
import { email, id, message, optionalText, requiredText } from './fields.ts'
import { newPassword } from './password.ts'
import { type LoginMethod, language, loginMethod, organizationRole, serviceRole } from './roles.ts'
import { version } from './services.ts'
import { optionalSsn, optionalSsnOrMasked } from './ssn.ts'

/** Optional; otherwise +46 and 7 to 13 digits. An empty one is null. */
export const optionalPhoneNumber = z.pipe(
  optionalText(20),
  z.nullable(z.string().check(z.regex(/^\+46[0-9]{7,13}$/, message('invalidPhoneNumber')))),
)

const role = z.strictObject({ organizationId: id, userRole: organizationRole })
const handedOut = z.strictObject({ organizationId: id, serviceId: id, userRole: serviceRole })
/** A list in which nothing stands twice. */
export const once = <Item>(key: (item: Item) => string, error: 'organizationAlreadyAdded' | 'serviceAlreadyAdded') =>
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

/** Days; empty is null, and then the organisation's own count. */
export const ownPassiveDays = z.nullable(
  z
    .int(message('invalidNumber'))
    .check(z.minimum(1, message('invalidNumber')), z.maximum(36_500, message('invalidNumber'))),
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
  maxPassiveDays: z._default(z.optional(ownPassiveDays), null),
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
export const isLocal = (method: LoginMethod): method is 'local' | 'local2FA' =>
  method === 'local' || method === 'local2FA'

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
  maxPassiveDays: z.optional(ownPassiveDays),
  organizations: z.optional(organizationRoles),
  services: z.optional(serviceRoles),
})
export type UserChange = z.infer<typeof userChange>
