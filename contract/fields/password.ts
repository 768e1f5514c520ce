import * as z from 'zod/mini'
import { limited, message, text } from './fields.ts'
import { passwordLength, passwordProblem } from './password-rules.ts'

/** A new password. Reports one error at a time, most basic first; never trimmed. */
export const newPassword = z.string(message('required')).check(limited(passwordLength.max), (password) => {
  const problem = passwordProblem(password.value)
  if (problem) password.issues.push({ code: 'custom', message: problem, input: password.value })
})

/** A password to sign in with. The rules are not checked, because they may have been different when it was chosen. */
export const enteredPassword = z.string(message('required')).check(limited(1024), z.minLength(1, message('required')))

/** The repetition of a new password. Only compared: what is wrong with the password is reported at the password. */
export const confirmation = text(1024).check(z.minLength(1, message('required')))

/**
 * Checks that the confirmation equals the password: `schema.check(matchesField('newPassword'))`. The error is reported at
 * `confirmNewPassword`.
 */
export const matchesField = <Field extends string>(field: Field) =>
  z.refine<Record<Field | 'confirmNewPassword', unknown>>((form) => form[field] === form.confirmNewPassword, {
    error: message('passwordsDoNotMatch'),
    path: ['confirmNewPassword'],
  })
