import i18next from 'i18next'
import { ApiProblem } from './api-problem.ts'
import { waitText } from './dates.ts'
import { messageText } from './i18n.ts'

/** What went wrong, as a text; a limit says when there may be a next try. */
export const problemText = (error: Error): string =>
  error instanceof ApiProblem && error.status === 429 && error.retryAfter
    ? i18next.t('tooManyRequestsUntil', { when: waitText(error.retryAfter, i18next.language) })
    : messageText(error.message)
