import type { MessageKey } from './message-key.ts'

/** Characters; specification, section 5, and security.md, Decided 1. */
export const passwordLength = { min: 12, max: 256 } as const

/** One line of the checklist that a form shows while somebody types. */
export interface PasswordRule {
  text: MessageKey
  isMet: (password: string) => boolean
}

/** What a new password must have: specification, section 5. Letters of every alphabet count, å ä ö among them. */
export const passwordRules = [
  { text: 'passwordRuleLength', isMet: (password) => [...password].length >= passwordLength.min },
  { text: 'passwordRuleLowercase', isMet: (password) => /\p{Ll}/u.test(password) },
  { text: 'passwordRuleUppercase', isMet: (password) => /\p{Lu}/u.test(password) },
  { text: 'passwordRuleDigit', isMet: (password) => /[0-9]/.test(password) },
  { text: 'passwordRuleSpecial', isMet: (password) => /[!@#$%^&*_\-+=~.,?'`:;{}[\]()<>/|]/.test(password) },
] as const satisfies readonly PasswordRule[]

const [longEnough, ...composition] = passwordRules

/** The first thing that is wrong with a new password, the most basic first; for schemas, and for pages too light for them. */
export function passwordProblem(password: string) {
  if (password === '') return 'required'
  if (password.includes('\u0000') || !password.isWellFormed()) return 'invalidText'
  if (!longEnough.isMet(password)) return 'passwordTooShort'
  if (password.length > passwordLength.max) return 'tooLong'
  if (!composition.every((rule) => rule.isMet(password))) return 'passwordInvalidPattern'
  return undefined
}
