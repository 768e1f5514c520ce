import * as z from 'zod/mini'
import { message } from './fields.ts'
import { passwordProblem } from './password-rules.ts'

/** A password that somebody chooses. One message at a time, the most basic first; never trimmed. */
export const newPassword = z.string(message('required')).check((password) => {
  const problem = passwordProblem(password.value)
  if (problem) password.issues.push({ code: 'custom', message: problem, input: password.value })
})

/** A password that somebody signs in with: whatever it is, as long as it is one; rules may have been others once. */
export const enteredPassword = z
  .string(message('required'))
  .check(z.minLength(1, message('required')), z.maxLength(1024, message('tooLong')))

/**
 * The check that a confirmation equals the password: `schema.check(sameAs('newPassword'))`. Its message stands at
 * `confirmNewPassword`.
 */
export const sameAs = <Field extends string>(field: Field) =>
  z.refine<Record<Field | 'confirmNewPassword', unknown>>((form) => form[field] === form.confirmNewPassword, {
    error: message('passwordsDoNotMatch'),
    path: ['confirmNewPassword'],
  })
