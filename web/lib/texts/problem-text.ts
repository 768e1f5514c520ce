import i18next from 'i18next'
import type { Language } from '#contract/languages.ts'
import { textsIn } from './i18n.ts'
import { failureText } from './texts.ts'

/** What went wrong, as a text in the app's language. */
export const problemText = (error: Error): string => failureText(error, textsIn(i18next.language as Language))
