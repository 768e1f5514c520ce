import { useTranslation } from 'react-i18next'
import type { ImportOutcome } from '#contract/invitations/bulk-invitations.ts'
import type { MessageKey } from '#contract/message-key.ts'

/** Badge tones: successful, nothing to do, needs attention. */
export const outcomeTone = {
  invited: 'ok',
  alreadyMember: 'neutral',
  duplicate: 'neutral',
  invalid: 'danger',
  noSeatsLeft: 'warn',
} as const satisfies Record<ImportOutcome, string>

const planned = {
  invited: 'outcomeToInvite',
  alreadyMember: 'outcomeMember',
  duplicate: 'outcomeDuplicate',
  invalid: 'outcomeInvalid',
  noSeatsLeft: 'outcomeNoSeats',
} as const satisfies Record<ImportOutcome, MessageKey>

const done = { ...planned, invited: 'outcomeInvited' } as const

/** A short name of each outcome, planned or done. */
export function useOutcomeName(isDone: boolean) {
  const { t } = useTranslation()
  return (outcome: ImportOutcome) => t((isDone ? done : planned)[outcome])
}
