import { useTranslation } from 'react-i18next'
import type { ReviewRow } from '#contract/access-reviews/review-answers.ts'
import { Badge } from '#web/ui/badge.tsx'
import styles from './access-review.module.css'
import type { Decision } from './decided.ts'
import { DecisionButtons } from './decision-buttons.tsx'

interface RowDecisionProps {
  row: ReviewRow
  open: boolean
  takesBack: boolean
  /** The reader's address, which goes without saying. */
  me: string
  name: string
  onDecide: (to: Decision, button: HTMLElement) => void
}

/** What is decided about one service of a person, with the buttons that decide it. */
export function RowDecision({ row, open, takesBack, me, name, onDecide }: RowDecisionProps) {
  const { t } = useTranslation()
  const { decision, present, decidedBy, serviceName } = row
  const gone = !present && decision !== 'keep'
  const kept = present ? 'reviewKept' : 'reviewKeptEnded'
  const said = decision === 'keep' ? kept : gone ? (decision ? 'reviewTakenBack' : 'reviewGone') : 'reviewToTakeBack'
  return (
    <span className={styles.decision}>
      {open && present && (
        <DecisionButtons
          level="row"
          decision={decision}
          isOpen={decision === null}
          takesBack={takesBack}
          names={{ person: name, service: serviceName }}
          onDecide={onDecide}
        />
      )}
      <span className={open && present ? styles.printed : undefined}>
        {decision || gone ? (
          <Badge tone={decision === 'keep' ? 'ok' : gone ? 'neutral' : 'danger'}>{t(said)}</Badge>
        ) : (
          t('reviewOpenRow')
        )}
      </span>
      {decidedBy && !(open && decidedBy === me) && <span className={styles.quiet}>{decidedBy}</span>}
    </span>
  )
}
