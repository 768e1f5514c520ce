import type { AnswerOf } from '#contract/route.ts'
import type { signIn } from '#contract/sign-in.ts'
import type { FormProblemState } from './form-problem.tsx'

/**
 * Where a sign-in stands after the address is known. A new way to sign in is a step here, its component in
 * password-page.tsx, and the line in `firstStep` that leads to it.
 */
export type Step =
  | { name: 'finding' }
  | { name: 'findingFailed'; problem: FormProblemState }
  /** With a second factor a code comes after the password. */
  | { name: 'password'; secondFactor?: SecondFactor }
  | { name: 'missing' }

/** How a code can be sent, besides by e-mail. */
export interface SecondFactor {
  hasPhoneNumber: boolean
}

/** What a person does first, by the way that the organisation chose. */
export function firstStep({ authType, hasPhoneNumber }: AnswerOf<typeof signIn.authType>): Step {
  switch (authType) {
    case 'local':
      return { name: 'password' }
    case 'local2FA':
      return { name: 'password', secondFactor: { hasPhoneNumber } }
    case 'bankid':
    case 'saml':
      return { name: 'missing' }
  }
}
