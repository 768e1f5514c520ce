import type { ReactNode } from 'react'
import type { Language } from '#contract/languages.ts'
import type { LoginMethod, loginMethods } from '#contract/login-methods.ts'
import { loadBankIdTexts } from '../bankid/bankid-texts.ts'
import { SamlStep } from '../company/saml-step.tsx'
import { loadPart } from '../frame/load-part.ts'

/** What a sign-in begins with that is no password. */
export type OwnStep = Exclude<(typeof loginMethods)[LoginMethod]['first'], 'password'>

/** What each shows. What only its people need is fetched when it is known that they do; it fails where that cannot be fetched. */
export const ownSteps: Record<OwnStep, (language: Language) => Promise<ReactNode>> = {
  bankid: async (language) => {
    const [{ BankIdStep }, texts] = await Promise.all([
      loadPart(import('../bankid/bankid-step.tsx')),
      loadBankIdTexts(language),
    ])
    return <BankIdStep texts={texts} />
  },
  company: async () => <SamlStep />,
}
