import { createContext, use } from 'react'
import type { Language } from '#contract/languages.ts'
import type { MessageKey } from '#contract/message-key.ts'
import { waitText } from './dates.ts'

/** The texts of the parts that the app and the sign-in pages have in common. */
export const commonTextKeys = [
  'errorTitlePrefix',
  'fieldAndProblem',
  'formErrors',
  'passwordRuleDigit',
  'passwordRuleLength',
  'passwordRuleLowercase',
  'passwordRuleMet',
  'passwordRuleMissing',
  'passwordRuleSpecial',
  'passwordRuleUppercase',
  'passwordRulesMet',
  'passwordRulesTitle',
  'productName',
  'showPassword',
  'tooManyRequestsUntil',
] as const satisfies readonly MessageKey[]
export type CommonTextKey = (typeof commonTextKeys)[number]

/** The texts in the page's language: i18next gives them to the app, a file of its own to the sign-in pages. */
export interface Texts {
  t: (key: CommonTextKey, values?: Readonly<Record<string, string>>) => string
  /** The text for a key that came over the wire; an unknown key gives the generic message. */
  messageText: (key: string) => string
  language: Language
}

export const TextsContext = createContext<Texts | null>(null)

export function useTexts(): Texts {
  const texts = use(TextsContext)
  if (!texts) throw new Error('useTexts outside TextsContext')
  return texts
}

/** A failure to show: an ApiProblem, or only the key of a message. */
export interface Failure {
  message: string
  status?: number
  retryAfter?: number | undefined
}

/** What went wrong, as a text; for a rate limit with the time of the next attempt. */
export const failureText = ({ message, status, retryAfter }: Failure, { t, messageText, language }: Texts): string =>
  status === 429 && retryAfter
    ? t('tooManyRequestsUntil', { when: waitText(retryAfter, language) })
    : messageText(message)
