import type { Language } from '#contract/languages.ts'
import { loadPart } from '../frame/load-part.ts'
import type { BankIdTextKey } from '../frame/text-keys.ts'
import { usePartTexts } from '../frame/use-part-texts.ts'

export type BankIdTexts = Readonly<Record<BankIdTextKey, string>>

const files: Record<Language, () => Promise<{ default: BankIdTexts }>> = {
  sv: () => import('virtual:bankid-texts/sv'),
  en: () => import('virtual:bankid-texts/en'),
  fi: () => import('virtual:bankid-texts/fi'),
  fr: () => import('virtual:bankid-texts/fr'),
}

/** @throws ApiProblem when the file cannot be fetched */
export const loadBankIdTexts = async (language: Language): Promise<BankIdTexts> =>
  (await loadPart(files[language]())).default

/** The texts in the page's language, as soon as they are there; until then those that are shown. */
export const useBankIdTexts = (first: BankIdTexts, language: Language): BankIdTexts =>
  usePartTexts(loadBankIdTexts, first, language)
