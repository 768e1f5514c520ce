import * as z from 'zod/mini'
import { message } from './fields.ts'
import type { MessageKey } from './message-key.ts'

/** Characters; specification, section 5, and security.md, Decided 1. */
export const passwordLength = { min: 12, max: 256 } as const

/** One line of the checklist that a form shows while somebody types. */
export interface PasswordRule {
  text: MessageKey
  isMet: (password: string) => boolean
}

/** What a new password must have: specification, section 5. Letters of every alphabet count, å ä ö among them. */
export const passwordRules: readonly PasswordRule[] = [
  { text: 'passwordRuleLength', isMet: (password) => [...password].length >= passwordLength.min },
  { text: 'passwordRuleLowercase', isMet: (password) => /\p{Ll}/u.test(password) },
  { text: 'passwordRuleUppercase', isMet: (password) => /\p{Lu}/u.test(password) },
  { text: 'passwordRuleDigit', isMet: (password) => /[0-9]/.test(password) },
  { text: 'passwordRuleSpecial', isMet: (password) => /[!@#$%^&*_\-+=~.,?'`:;{}[\]()<>/|]/.test(password) },
]

const [longEnough, ...composition] = passwordRules

/** The first thing that is wrong with a new password, as the key of its text. */
function problemWith(password: string): MessageKey | undefined {
  if (password === '') return 'required'
  if (password.includes('\u0000') || !password.isWellFormed()) return 'invalidText'
  if (!longEnough?.isMet(password)) return 'passwordTooShort'
  if (password.length > passwordLength.max) return 'tooLong'
  if (!composition.every((rule) => rule.isMet(password))) return 'passwordInvalidPattern'
  return undefined
}

/** A password that somebody chooses. One message at a time, the most basic first; never trimmed. */
export const newPassword = z.string(message('required')).check((password) => {
  const problem = problemWith(password.value)
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
