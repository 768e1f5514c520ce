import type { Language } from '#contract/languages.ts'
import { loadPart } from '../frame/load-part.ts'
import type { SetupTextKey } from '../frame/setup-text-keys.ts'

export type SetupTexts = Readonly<Record<SetupTextKey, string>>

const files: Record<Language, () => Promise<{ default: SetupTexts }>> = {
  sv: () => import('virtual:setup-texts/sv'),
  en: () => import('virtual:setup-texts/en'),
  fi: () => import('virtual:setup-texts/fi'),
  fr: () => import('virtual:setup-texts/fr'),
}

/** @throws ApiProblem when the file cannot be fetched */
export const loadSetupTexts = async (language: Language): Promise<SetupTexts> =>
  (await loadPart(files[language]())).default
