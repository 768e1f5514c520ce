import i18next, { type FormatterModule } from 'i18next'
import { initReactI18next, useTranslation } from 'react-i18next'
import { dateLocales } from '#contract/languages.ts'
import type { MessageKey } from '#contract/message-key.ts'
import { fallbackLanguage, type Language, languages } from '#contract/roles.ts'
import type swedish from '#locales/sv/translation.json'
import { emergencyTexts } from './emergency-texts.ts'
import { detectLanguage, rememberLanguage } from './language.ts'
import type { Texts } from './texts.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation'
    resources: { translation: typeof swedish }
  }
}

type TextFile = Record<string, string>

/** A number stands in every text as the language writes it: 12 345. */
const numbers: FormatterModule = {
  type: 'formatter',
  init: () => undefined,
  add: () => undefined,
  addCached: () => undefined,
  format: (value, _format, language = fallbackLanguage) =>
    typeof value === 'number' ? new Intl.NumberFormat(dateLocales[language as Language]).format(value) : value,
}

/**
 * Loads the texts of the visitor's language and starts i18next.
 *
 * @returns false when they could not be loaded: then there are only the few Swedish ones of the fatal screen
 */
export async function startTexts(): Promise<boolean> {
  const language = detectLanguage()
  const texts = await loadTexts(language)
  i18next.use(initReactI18next).use(numbers)
  await i18next.init({
    lng: texts ? language : fallbackLanguage,
    fallbackLng: fallbackLanguage,
    supportedLngs: [...languages],
    load: 'languageOnly',
    resources: texts ? { [language]: { translation: texts } } : { [fallbackLanguage]: { translation: emergencyTexts } },
    // Texts are shown by React, which escapes.
    interpolation: { escapeValue: false, alwaysFormat: true },
    react: { useSuspense: false },
    returnNull: false,
  })
  if (texts) rememberLanguage(language)
  else document.documentElement.lang = fallbackLanguage
  return Boolean(texts)
}

let chosenLast: Language | undefined

/**
 * Changes every text on the page without a reload; fails when the texts cannot be loaded.
 *
 * @returns false when another language was chosen while its texts were on their way: that one stays
 */
export async function switchLanguage(language: Language): Promise<boolean> {
  chosenLast = language
  if (!i18next.hasResourceBundle(language, 'translation')) {
    const texts = await loadTexts(language)
    if (chosenLast !== language) return false
    if (!texts) throw new Error(`no texts in ${language}`)
    i18next.addResourceBundle(language, 'translation', texts)
  }
  await i18next.changeLanguage(language)
  rememberLanguage(language)
  return true
}

export const useLanguage = () => useTranslation().i18n.language as Language

/** The text for a key that came over the wire; an unknown key gives the generic message. */
export const messageText = (key: string) => i18next.t((i18next.exists(key) ? key : 'genericErrorMessage') as MessageKey)

async function loadTexts(language: Language): Promise<TextFile | undefined> {
  try {
    const response = await fetch(`/locales/${language}/translation.json`)
    return response.ok ? ((await response.json()) as TextFile) : undefined
  } catch {
    return undefined
  }
}

/** What is wrong with a field, for a list of several: French sets its colon apart. */
export const fieldProblemText = (field: string, key: string): string =>
  i18next.t('fieldAndProblem', { field, problem: messageText(key) })

/** The app's texts for the parts that it has in common with the sign-in pages. */
export const textsIn = (language: Language): Texts => ({
  t: (key, values) => i18next.t(key, { ...values, lng: language }),
  messageText,
  language,
})
