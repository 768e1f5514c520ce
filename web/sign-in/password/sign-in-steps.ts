import type { ReactNode } from 'react'
import type { Language } from '#contract/languages.ts'
import { asksForTwo, loginMethods } from '#contract/login-methods.ts'
import type { AnswerOf } from '#contract/route.ts'
import type { signIn } from '#contract/sign-in/sign-in.ts'
import type { Failure } from '#web/lib/texts/texts.ts'
import { type OwnStep, ownSteps } from './own-steps.tsx'

/** Where a sign-in stands after the address is known. A method without a password has its step in own-steps.tsx. */
export type Step =
  | { name: 'finding' }
  | { name: 'findingFailed'; problem: Failure }
  /** With a second factor a code comes after the password. */
  | { name: 'password'; secondFactor?: SecondFactor }
  | { name: 'own'; shown: ReactNode }

/** How a code can be sent, besides by e-mail. */
export interface SecondFactor {
  hasPhoneNumber: boolean
}

/** What a person does first, by the way that the organisation chose. @throws ApiProblem when its part cannot be fetched */
export async function firstStep(
  { authType, hasPhoneNumber }: AnswerOf<typeof signIn.authType>,
  language: Language,
): Promise<Step> {
  const { first } = loginMethods[authType]
  if (first !== 'password') return ownStep(first, language)
  return { name: 'password', ...(asksForTwo(authType) && { secondFactor: { hasPhoneNumber } }) }
}

/** The step of a method, whatever the account's own is. @throws ApiProblem */
export const ownStep = async (method: OwnStep, language: Language): Promise<Step> => ({
  name: 'own',
  shown: await ownSteps[method](language),
})
