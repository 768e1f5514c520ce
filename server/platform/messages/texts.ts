import type { MessageKey } from '#contract/message-key.ts'
import { fallbackLanguage, type Language } from '#contract/roles.ts'
import en from '#locales/en/translation.json' with { type: 'json' }
import fi from '#locales/fi/translation.json' with { type: 'json' }
import fr from '#locales/fr/translation.json' with { type: 'json' }
import sv from '#locales/sv/translation.json' with { type: 'json' }

const texts: Record<Language, Partial<Record<string, string>>> = { sv, en, fi, fr }

/**
 * Translates a text and replaces `{{name}}`. With `count` among the values it uses the plural form of the language.
 * Values are not escaped: to use the text in HTML, escape the whole result.
 */
export function translate(
  language: Language,
  key: MessageKey,
  values: Readonly<Record<string, string | number>> = {},
): string {
  const { count } = values
  const plural = typeof count === 'number' ? `${key}_${new Intl.PluralRules(language).select(count)}` : key
  const text = texts[language][plural] ?? texts[language][key] ?? texts[fallbackLanguage][key] ?? key
  return text.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) => String(values[name] ?? whole))
}
