import { passwordProblem } from '#contract/password-rules.ts'
import type { LoginMethod } from '#contract/roles.ts'
import { ssnProblem } from '#contract/ssn-rules.ts'
import type { Problems } from './use-draft.ts'

/** What somebody types who accepts an invitation; which of the last three, the sign-in method says. */
export interface Draft {
  firstName: string
  lastName: string
  ssn: string
  password: string
  confirmNewPassword: string
}
export type DraftField = keyof Draft

const longestName = 100

/** The fields of the form for a sign-in method, in their order. */
export const fieldsFor = (loginMethod: LoginMethod): readonly DraftField[] => [
  'firstName',
  'lastName',
  ...(hasPassword(loginMethod) ? (['password', 'confirmNewPassword'] as const) : (['ssn'] as const)),
]

export const hasPassword = (loginMethod: LoginMethod) => loginMethod === 'local' || loginMethod === 'local2FA'

/**
 * What is wrong with a draft, in the words of the contract's `acceptForm`: that schema is too heavy for this entry, and
 * acceptance.test.ts holds the two together.
 */
export function problemsIn(draft: Draft, loginMethod: LoginMethod): Problems<DraftField> {
  const checks: Record<DraftField, () => string | undefined> = {
    firstName: () => nameProblem(draft.firstName),
    lastName: () => nameProblem(draft.lastName),
    ssn: () => {
      const digits = draft.ssn.trim()
      if (digits === '') return loginMethod === 'bankid' ? 'requiredWithBankId' : 'required'
      return ssnProblem(digits)
    },
    password: () => passwordProblem(draft.password),
    confirmNewPassword: () => {
      if (draft.confirmNewPassword === '') return 'required'
      return draft.confirmNewPassword === draft.password ? undefined : 'passwordsDoNotMatch'
    },
  }
  const found = fieldsFor(loginMethod).map((field) => [field, checks[field]()] as const)
  return Object.fromEntries(found.filter(([, problem]) => problem !== undefined))
}

function nameProblem(name: string) {
  if (name.trim() === '') return 'required'
  return name.length > longestName ? 'tooLong' : undefined
}

/** The body of the call: what the method does not ask for is left out. */
export function acceptanceOf(draft: Draft, invitation: { email: string; loginMethod: LoginMethod }, token: string) {
  const { firstName, lastName, ssn, password, confirmNewPassword } = draft
  const proof = hasPassword(invitation.loginMethod) ? { ssn: null, password, confirmNewPassword } : { ssn }
  const { email, loginMethod } = invitation
  return { email, token, loginMethod, firstName, lastName, ...proof }
}
