import type { MessageKey } from '#contract/message-key.ts'

/** The length in characters (product-rules 12.3). */
export const passwordLength = { min: 12, max: 256 } as const

/** A line of the checklist that a form shows while the user types. */
export interface PasswordRule {
  text: MessageKey
  isMet: (password: string) => boolean
}

/** The rules for a new password (product-rules 12.3). Letters of every alphabet count, including å ä ö. */
export const passwordRules = [
  { text: 'passwordRuleLength', isMet: (password) => [...password].length >= passwordLength.min },
  { text: 'passwordRuleLowercase', isMet: (password) => /\p{Ll}/u.test(password) },
  { text: 'passwordRuleUppercase', isMet: (password) => /\p{Lu}/u.test(password) },
  { text: 'passwordRuleDigit', isMet: (password) => /[0-9]/.test(password) },
  { text: 'passwordRuleSpecial', isMet: (password) => /[!@#$%^&*_\-+=~.,?'`:;{}[\]()<>/|]/.test(password) },
] as const satisfies readonly PasswordRule[]

const [longEnough, ...composition] = passwordRules

/** The first error of a new password, most basic first; for schemas, and for light pages without schemas. */
export function passwordProblem(password: string) {
  if (password === '') return 'required'
  // Check the length before anything that scans every character.
  if (password.length > passwordLength.max) return 'tooLong'
  if (password.includes('\u0000') || !password.isWellFormed()) return 'invalidText'
  if (!longEnough.isMet(password)) return 'passwordTooShort'
  if (!composition.every((rule) => rule.isMet(password))) return 'passwordInvalidPattern'
  return undefined
}
