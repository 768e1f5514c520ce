import { useTranslation } from 'react-i18next'
import type { ImportOutcome } from '#contract/bulk-invitations.ts'
import type { MessageKey } from '#contract/message-key.ts'

/** Good, nothing to do, and what somebody has to look at. */
export const outcomeTone = {
  invited: 'ok',
  added: 'ok',
  alreadyMember: 'neutral',
  duplicate: 'neutral',
  invalid: 'danger',
  noSeatsLeft: 'warn',
} as const satisfies Record<ImportOutcome, string>

const planned = {
  invited: 'outcomeToInvite',
  added: 'outcomeToAdd',
  alreadyMember: 'outcomeMember',
  duplicate: 'outcomeDuplicate',
  invalid: 'outcomeInvalid',
  noSeatsLeft: 'outcomeNoSeats',
} as const satisfies Record<ImportOutcome, MessageKey>

const done = { ...planned, invited: 'outcomeInvited', added: 'outcomeAdded' } as const

/** What would become of a row, or became of it, in a word or two. */
export function useOutcomeName(isDone: boolean) {
  const { t } = useTranslation()
  return (outcome: ImportOutcome) => t((isDone ? done : planned)[outcome])
}
