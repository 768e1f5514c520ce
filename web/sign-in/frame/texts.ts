import type { Language } from '#contract/languages.ts'
import type { TextKey } from './text-keys.ts'

export type Texts = Readonly<Record<TextKey, string>>
export type Translate = (key: TextKey, values?: Readonly<Record<string, string>>) => string

/** Each language is a file of its own; the page of a language preloads it (entry-server.tsx). */
const files: Record<Language, () => Promise<{ default: Texts }>> = {
  sv: () => import('virtual:public-texts/sv'),
  en: () => import('virtual:public-texts/en'),
  fi: () => import('virtual:public-texts/fi'),
  fr: () => import('virtual:public-texts/fr'),
}

/** @throws TypeError when the file cannot be fetched */
export const loadTexts = async (language: Language): Promise<Texts> => (await files[language]()).default

/** Reads the texts as i18next does: `{{name}}` is filled in. */
export const translator =
  <Key extends string>(texts: Readonly<Record<Key, string>>) =>
  (key: Key, values: Readonly<Record<string, string>> = {}): string =>
    texts[key].replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '')

/** The text for a key that came over the wire; one that this entry does not carry is the generic message. */
export const messageText = (texts: Texts, key: string): string => texts[key as TextKey] ?? texts.genericErrorMessage
