import * as z from 'zod/mini'
import { email, message, optionalPhoneNumber, text } from '#contract/fields/fields.ts'
import { requiredName } from '#contract/fields/names.ts'
import { passwordProblem } from '#contract/fields/password-rules.ts'
import { optionalDay } from '#contract/fields/period.ts'
import { optionalSsn, optionalSsnOrMasked } from '#contract/fields/ssn.ts'
import { defaultMethod, isCompany, needsNumber } from '#contract/login-methods.ts'
import type { FieldLabels } from '#contract/message-key.ts'
import { samlNeedsConfig } from '#contract/organizations/organizations.ts'
import { portalRole } from '#contract/portal-roles.ts'
import { language, loginMethod, organizationRole, serviceRole } from '#contract/roles.ts'
import { isLocal, ownPassiveDays, personLabels } from '#contract/users/user-forms.ts'
import type { User } from '#contract/users/users.ts'
import { draftFrom, type Known as KnownOf } from '#web/lib/forms/draft.ts'
import { type Belongings, belongingsOf } from './belongings.ts'

const none = z.literal('')
const shape = {
  email: text(),
  firstName: requiredName(100),
  lastName: requiredName(100),
  ssn: optionalSsnOrMasked,
  phoneNumber: optionalPhoneNumber,
  preferredLanguage: z.pipe(
    z.union([language, none]),
    z.transform((chosen) => chosen || null),
  ),
  loginMethod,
  samlConfigId: z.nullable(z.int(message('samlConfigRequired'))),
  superUser: z.boolean(),
  portalRole: z.pipe(
    z.union([portalRole, none]),
    z.transform((chosen) => chosen || null),
  ),
  portalRoleFrom: optionalDay,
  portalRoleUntil: optionalDay,
  maxPassiveDays: ownPassiveDays,
  password: text(256),
  confirmNewPassword: text(256),
  roles: z.record(z.string(), z.union([organizationRole, none])),
  services: z.record(z.string(), z.union([serviceRole, none])),
  days: z.record(z.string(), text(10)),
}
const base = z.object(shape)
export type UserDraft = z.input<typeof base>
export type UserValues = z.output<typeof base>
type UserSchema = z.ZodMiniType<UserValues, UserDraft>

export const userLabels: FieldLabels<UserDraft> = {
  ...personLabels,
  password: 'password',
  confirmNewPassword: 'repeatPassword',
  roles: 'organizations',
  services: 'services',
  days: 'period',
}

type Known = Pick<User, 'firstName' | 'lastName' | 'ssn' | 'loginMethod' | 'samlConfigId'>

const superUserNotSaml = z.refine<Pick<UserValues, 'loginMethod' | 'superUser' | 'portalRole'>>(
  (form) => !(form.superUser || form.portalRole) || !isCompany(form.loginMethod),
  { error: message('superUserNotSaml'), path: ['loginMethod'] },
)

/**
 * The schema for editing. A user who has only been invited may have no name, and values that the admin may not see are
 * missing: neither is required.
 */
export function editSchema(known: Known): UserSchema {
  const name = (present: string | null) => (present === null ? text(100).check(z.trim()) : shape.firstName)
  const numberMayWait = needsNumber(known.loginMethod) && known.ssn === null
  const configIsUnseen = isCompany(known.loginMethod) && known.samlConfigId === null
  return z
    .object({ ...shape, firstName: name(known.firstName), lastName: name(known.lastName) })
    .check(superUserNotSaml, bankidNeedsSsn(numberMayWait), ...(configIsUnseen ? [] : [samlNeedsConfig]))
}

export const createSchema: UserSchema = z
  .object({ ...shape, email, ssn: optionalSsn })
  .check(samlNeedsConfig, superUserNotSaml, bankidNeedsSsn(false), ({ value, issues }) => {
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
    (form) => mayWait || !needsNumber(form.loginMethod) || form.ssn !== null,
    { error: message('requiredWithBankId'), path: ['ssn'] },
  )
}

type PersonDraft = Omit<UserDraft, keyof Belongings>
const newPerson: PersonDraft = {
  email: '',
  firstName: '',
  lastName: '',
  ssn: '',
  phoneNumber: '',
  preferredLanguage: '',
  loginMethod: defaultMethod,
  samlConfigId: null,
  superUser: false,
  portalRole: '',
  portalRoleFrom: '',
  portalRoleUntil: '',
  maxPassiveDays: null,
  password: '',
  confirmNewPassword: '',
}

export const personDraft = (known: KnownOf<PersonDraft>) => draftFrom(newPerson, known)
export const draftOf = (user: Partial<User>): UserDraft => ({ ...personDraft(user), ...belongingsOf(user) })

/** The role in the portal as it is sent: without one, its days are hidden. */
export const inPortalOf = ({ portalRole, portalRoleFrom, portalRoleUntil }: UserValues) =>
  portalRole
    ? { portalRole, portalRoleFrom, portalRoleUntil }
    : { portalRole, portalRoleFrom: null, portalRoleUntil: null }

/** The tab that contains a field. */
export const tabOf = (field: string): 'general' | 'permissions' =>
  ['superUser', 'portalRole', 'portalRoleFrom', 'portalRoleUntil', 'roles', 'services', 'days'].includes(
    field.split('.', 1)[0] ?? '',
  )
    ? 'permissions'
    : 'general'
