import { useTranslation } from 'react-i18next'
import type { OwnNumber } from '#contract/second-factors.ts'
import { Alert } from '#web/ui/alert.tsx'
import { Button } from '#web/ui/button.tsx'

const texts = { ssn: 'ssnUnconfirmedText', phoneNumber: 'phoneUnconfirmedText' } as const

interface UnconfirmedNumbersProps {
  names: readonly OwnNumber[]
  onConfirm: () => void
}

/** Says what numbers do not do that came with a password alone, or from an admin, and lets the person confirm them. */
export function UnconfirmedNumbers({ names, onConfirm }: UnconfirmedNumbersProps) {
  const { t } = useTranslation()
  if (names.length === 0) return null
  return (
    <Alert
      tone="warn"
      action={
        <Button size="small" onClick={onConfirm}>
          {t('confirm')}
        </Button>
      }
    >
      {names.map((name) => (
        <p key={name}>{t(texts[name])}</p>
      ))}
    </Alert>
  )
}
