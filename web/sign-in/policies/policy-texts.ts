import type { Language } from '#contract/languages.ts'
import type { PolicyTextKey } from '../frame/policy-text-keys.ts'

export type PolicyTexts = Readonly<Record<PolicyTextKey, string>>

const files: Record<Language, () => Promise<{ default: PolicyTexts }>> = {
  sv: () => import('virtual:policy-texts/sv'),
  en: () => import('virtual:policy-texts/en'),
  fi: () => import('virtual:policy-texts/fi'),
  fr: () => import('virtual:policy-texts/fr'),
}

/** @throws TypeError when the file cannot be fetched */
export const loadPolicyTexts = async (language: Language): Promise<PolicyTexts> => (await files[language]()).default
