import type { Language } from '#contract/languages.ts'
import type { AnswerOf } from '#contract/route.ts'
import type { signIn } from '#contract/sign-in/sign-in.ts'
import type { Failure } from '#web/lib/texts/texts.ts'
import type { BankIdStep } from '../bankid/bankid-step.tsx'
import { type BankIdTexts, loadBankIdTexts } from '../bankid/bankid-texts.ts'
import { loadPart } from '../frame/load-part.ts'

/**
 * Where a sign-in stands after the address is known. A new way to sign in is a step here, its component in
 * password-page.tsx, and the line in `firstStep` that leads to it.
 */
export type Step =
  | { name: 'finding' }
  | { name: 'findingFailed'; problem: Failure }
  /** With a second factor a code comes after the password. */
  | { name: 'password'; secondFactor?: SecondFactor }
  /** On to the company's own sign-in. */
  | { name: 'saml' }
  /** A code for the phone, or the app on this device. */
  | { name: 'bankid'; part: BankIdPart }

/** How a code can be sent, besides by e-mail. */
export interface SecondFactor {
  hasPhoneNumber: boolean
}

/** What only those need who sign in with BankID; fetched when it is known that they do. */
export interface BankIdPart {
  Step: typeof BankIdStep
  texts: BankIdTexts
}

/** What a person does first, by the way that the organisation chose. */
export async function firstStep(
  { authType, hasPhoneNumber }: AnswerOf<typeof signIn.authType>,
  language: Language,
): Promise<Step> {
  switch (authType) {
    case 'local':
      return { name: 'password' }
    case 'local2FA':
      return { name: 'password', secondFactor: { hasPhoneNumber } }
    case 'bankid':
      return { name: 'bankid', part: await loadBankId(language) }
    case 'saml':
      return { name: 'saml' }
  }
}

/** @throws ApiProblem when it cannot be fetched */
async function loadBankId(language: Language): Promise<BankIdPart> {
  const [{ BankIdStep }, texts] = await Promise.all([
    loadPart(import('../bankid/bankid-step.tsx')),
    loadBankIdTexts(language),
  ])
  return { Step: BankIdStep, texts }
}
