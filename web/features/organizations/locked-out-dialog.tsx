import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { RadioCards } from '#web/ui/fields/radio-cards.tsx'
import { FormGrid } from '#web/ui/frame/page.tsx'
import type { LockedOutChoice, LockedOutQuestion } from './use-locked-out.ts'

interface LockedOutDialogProps {
  organizationName: string
  question: LockedOutQuestion
}

/** How many people organisation sign-in would keep out, and what is to become of them. */
export function LockedOutDialog({ organizationName: name, question }: LockedOutDialogProps) {
  const { t } = useTranslation()
  const [choice, setChoice] = useState<LockedOutChoice>('guests')
  return (
    <ConfirmDialog
      open
      tone="primary"
      title={t('lockedOutTitle', { count: question.count })}
      cancelLabel={t('cancel')}
      confirmLabel={t('save')}
      onCancel={() => question.answer('cancelled')}
      onConfirm={() => question.answer(choice)}
    >
      <FormGrid>
        <p>{t('lockedOutText', { name })}</p>
        <RadioCards
          legend={t('lockedOutChoice')}
          options={[
            { value: 'guests', label: t('lockedOutGuests'), hint: t('lockedOutGuestsHint') },
            { value: 'stay', label: t('lockedOutStay'), hint: t('lockedOutStayHint') },
          ]}
          value={choice}
          onChange={(next) => setChoice(next as LockedOutChoice)}
        />
      </FormGrid>
    </ConfirmDialog>
  )
}
