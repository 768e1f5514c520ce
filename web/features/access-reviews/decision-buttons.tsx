import Check from 'lucide-react/icons/check'
import X from 'lucide-react/icons/x'
import type { MouseEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '#web/ui/button.tsx'
import styles from './access-review.module.css'
import type { Decision } from './decided.ts'

interface DecisionButtonsProps {
  /** For all services of a person, or for one. */
  level: 'person' | 'row'
  decision: Decision
  /** Something is undecided: the focus comes here by itself. */
  isOpen: boolean
  /** False: the reader can only keep it. */
  takesBack?: boolean
  names: { person: string; service: string }
  onDecide: (to: Decision, button: HTMLElement) => void
}

const choices = [
  { to: 'keep', text: 'reviewKeep', name: 'reviewKeepFor', icon: Check },
  { to: 'takeBack', text: 'reviewTakeBack', name: 'reviewTakeBackFrom', icon: X },
] as const

/** Keep or take back. The one that is chosen is pressed; pressing it again leaves it undecided. */
export function DecisionButtons({ level, decision, isOpen, takesBack = true, names, onDecide }: DecisionButtonsProps) {
  const { t } = useTranslation()
  return (
    <>
      {!takesBack && level === 'row' && <span className={styles.quiet}>{t('reviewGroupByAdmins')}</span>}
      <span className={styles.pair} data-level={level} data-open={isOpen || undefined}>
        {choices
          .filter(({ to }) => takesBack || to === 'keep')
          .map(({ to, text, name, icon }) => (
            <Button
              key={to}
              size="small"
              className={styles.choice}
              data-decision={to}
              aria-pressed={decision === to}
              aria-label={t(name, names)}
              icon={icon}
              onClick={(event: MouseEvent<HTMLButtonElement>) =>
                onDecide(decision === to ? null : to, event.currentTarget)
              }
            >
              {t(text)}
            </Button>
          ))}
      </span>
    </>
  )
}
