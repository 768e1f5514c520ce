import { useEffect, useState } from 'react'
import type { Language } from '#contract/languages.ts'
import { loadPart } from '../frame/load-part.ts'
import type { BankIdTextKey } from '../frame/text-keys.ts'

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
export function useBankIdTexts(first: BankIdTexts, language: Language): BankIdTexts {
  const [texts, setTexts] = useState(first)
  useEffect(() => {
    let current = true
    void loadBankIdTexts(language)
      .then((loaded) => {
        if (current) setTexts(loaded)
      })
      // Without a network the step stays in the language that it is in, as the page does.
      .catch(() => undefined)
    return () => {
      current = false
    }
  }, [language])
  return texts
}
