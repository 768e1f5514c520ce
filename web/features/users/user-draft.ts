import * as z from 'zod/mini'
import { email, message, requiredText, text } from '#contract/fields.ts'
import { samlNeedsConfig } from '#contract/organizations.ts'
import { passwordProblem } from '#contract/password-rules.ts'
import { language, loginMethod, organizationRole, serviceRole } from '#contract/roles.ts'
import { optionalSsn, optionalSsnOrMasked } from '#contract/ssn.ts'
import { isLocal, optionalPhoneNumber, ownPassiveDays } from '#contract/user-forms.ts'
import type { User } from '#contract/users.ts'
import { belongingsOf } from './belongings.ts'

const none = z.literal('')
const shape = {
  email: text(),
  firstName: requiredText(100),
  lastName: requiredText(100),
  ssn: optionalSsnOrMasked,
  phoneNumber: optionalPhoneNumber,
  preferredLanguage: z.pipe(
    z.union([language, none]),
    z.transform((chosen) => chosen || null),
  ),
  loginMethod,
  samlConfigId: z.nullable(z.int(message('samlConfigRequired'))),
  superUser: z.boolean(),
  maxPassiveDays: ownPassiveDays,
  password: text(256),
  confirmNewPassword: text(256),
  roles: z.record(z.string(), z.union([organizationRole, none])),
  services: z.record(z.string(), z.union([serviceRole, none])),
}
const base = z.object(shape)
export type UserDraft = z.input<typeof base>
export type UserValues = z.output<typeof base>
type UserSchema = z.ZodMiniType<UserValues, UserDraft>

type Known = Pick<User, 'firstName' | 'lastName' | 'ssn' | 'loginMethod'>

/** Whoever was invited has no name yet, and perhaps no number: neither is asked for then. */
export function editSchema(known: Known): UserSchema {
  const name = (present: string | null) => (present === null ? text(100).check(z.trim()) : shape.firstName)
  const numberMayWait = known.loginMethod === 'bankid' && known.ssn === null
  return z
    .object({ ...shape, firstName: name(known.firstName), lastName: name(known.lastName) })
    .check(samlNeedsConfig, bankidNeedsSsn(numberMayWait))
}

export const createSchema: UserSchema = z
  .object({ ...shape, email, ssn: optionalSsn })
  .check(samlNeedsConfig, bankidNeedsSsn(false), ({ value, issues }) => {
    if (!isLocal(value.loginMethod)) return
    const problem = passwordProblem(value.password)
    if (problem) issues.push({ code: 'custom', path: ['password'], message: problem, input: value.password })
    if (value.password !== value.confirmNewPassword)
      issues.push({
        code: 'custom',
        path: ['confirmNewPassword'],
        message: message('passwordsDoNotMatch'),
        input: value.confirmNewPassword,
      })
  })

function bankidNeedsSsn(mayWait: boolean) {
  return z.refine<Pick<UserValues, 'loginMethod' | 'ssn'>>(
    (form) => mayWait || form.loginMethod !== 'bankid' || form.ssn !== null,
    { error: message('requiredWithBankId'), path: ['ssn'] },
  )
}

export const newUser: UserDraft = {
  email: '',
  firstName: '',
  lastName: '',
  ssn: '',
  phoneNumber: '',
  preferredLanguage: '',
  loginMethod: 'local',
  samlConfigId: null,
  superUser: false,
  maxPassiveDays: null,
  password: '',
  confirmNewPassword: '',
  roles: {},
  services: {},
}

export const draftOf = (user: User): UserDraft => ({
  ...newUser,
  email: user.email,
  firstName: user.firstName ?? '',
  lastName: user.lastName ?? '',
  ssn: user.ssn ?? '',
  phoneNumber: user.phoneNumber ?? '',
  preferredLanguage: user.preferredLanguage ?? '',
  loginMethod: user.loginMethod,
  samlConfigId: user.samlConfigId,
  superUser: user.superUser,
  maxPassiveDays: user.maxPassiveDays,
  ...belongingsOf(user),
})

/** Which tab a field lies in. */
export const tabOf = (field: string): 'general' | 'permissions' =>
  ['superUser', 'roles', 'services'].includes(field.split('.', 1)[0] ?? '') ? 'permissions' : 'general'

/** How a person is called where one line must do. */
export const nameOf = ({ firstName, lastName, email: address }: Pick<User, 'firstName' | 'lastName' | 'email'>) =>
  [firstName, lastName].filter(Boolean).join(' ') || address
