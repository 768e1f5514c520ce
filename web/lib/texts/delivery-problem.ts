import type { TFunction } from 'i18next'
import type { MessageKey } from '#contract/message-key.ts'

/** What was wrong with an attempt to deliver something: a status of HTTP, or the key of a text. */
export const deliveryProblem = (t: TFunction, problem: string): string =>
  problem.startsWith('HTTP ') ? t('streamAnswered', { status: problem.slice(5) }) : t(problem as MessageKey)
