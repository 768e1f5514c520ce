import type { LoginMethod } from '#contract/roles.ts'
import type { FormProblemState } from './form-problem.tsx'

/**
 * Where a sign-in stands after the address is known. A new way to sign in is a step here, its component in
 * password-page.tsx, and the line in `firstStep` that leads to it.
 */
export type Step =
  | { name: 'finding' }
  | { name: 'findingFailed'; problem: FormProblemState }
  | { name: 'password' }
  | { name: 'missing' }

/** What a person does first, by the way that the organisation chose. */
export const firstStep: Record<LoginMethod, Step> = {
  local: { name: 'password' },
  local2FA: { name: 'missing' },
  bankid: { name: 'missing' },
  saml: { name: 'missing' },
}
