import * as z from 'zod/mini'
import { email, limited, message, storable } from '#contract/fields/fields.ts'
import { requiredName } from '#contract/fields/names.ts'
import { confirmation, newPassword } from '#contract/fields/password.ts'
import { optionalSsn } from '#contract/fields/ssn.ts'
import { isCompany, isLocal, needsNumber } from '#contract/login-methods.ts'
import type { FieldLabels } from '#contract/message-key.ts'
import { loginMethod } from '#contract/roles.ts'

/** The token of an invitation link. */
export const token = z.string(message('required')).check(limited(500), storable, z.minLength(1, message('required')))

/** The form that accepts an invitation: a password for the local methods, the personal number for the others. */
export const acceptForm = z
  .strictObject({
    email,
    token,
    firstName: requiredName(100),
    lastName: requiredName(100),
    loginMethod,
    ssn: z._default(z.optional(optionalSsn), null),
    password: z.optional(newPassword),
    confirmNewPassword: z.optional(confirmation),
  })
  .check(
    z.refine((form) => !isLocal(form.loginMethod) || form.password !== undefined, {
      error: message('required'),
      path: ['password'],
    }),
    z.refine((form) => isLocal(form.loginMethod) || form.password === undefined, {
      error: message('passwordNotForMethod'),
      path: ['password'],
    }),
    z.refine((form) => !needsNumber(form.loginMethod) || form.ssn !== null, {
      error: message('requiredWithBankId'),
      path: ['ssn'],
    }),
    z.refine((form) => !isCompany(form.loginMethod) || form.ssn !== null, {
      error: message('required'),
      path: ['ssn'],
    }),
    z.refine((form) => form.password === form.confirmNewPassword, {
      error: message('passwordsDoNotMatch'),
      path: ['confirmNewPassword'],
    }),
  )
export type AcceptForm = z.infer<typeof acceptForm>

/** The labels of the fields that are shown; address, token and method come with the link. */
export const acceptLabels: FieldLabels<Omit<AcceptForm, 'email' | 'token' | 'loginMethod'>> = {
  firstName: 'firstName',
  lastName: 'lastName',
  ssn: 'ssn',
  password: 'choosePassword',
  confirmNewPassword: 'repeatPassword',
}
