import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { RadioCards } from '#web/ui/fields/radio-cards.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { FormGrid } from '#web/ui/frame/page.tsx'
import type { UnprovenQuestion } from './use-unproven.ts'

/** Tells a super user that nobody has proven the address, and who opened the account: invite instead, or say why not. */
export function UnprovenDialog({ question }: { question: UnprovenQuestion }) {
  const { t } = useTranslation()
  const { name, email, openedFor, mayInvite, answer } = question
  const [choice, setChoice] = useState<'invite' | 'confirm'>(mayInvite ? 'invite' : 'confirm')
  const [reason, setReason] = useState('')
  const [missing, setMissing] = useState(false)
  const id = useId()
  const confirm = () => {
    if (choice === 'invite') return answer('invite')
    if (reason.trim() === '') return setMissing(true)
    answer({ unprovenReason: reason })
  }
  return (
    <ConfirmDialog
      open
      tone="primary"
      title={t('unprovenQuestionTitle', { name })}
      cancelLabel={t('cancel')}
      confirmLabel={t('continue')}
      onCancel={() => answer('cancelled')}
      onConfirm={confirm}
    >
      <FormGrid>
        <p>
          {t('addressUnprovenText', { email })} {openedFor && t('addressUnprovenBy', { name: openedFor.name })}
        </p>
        {mayInvite && (
          <RadioCards
            legend={t('lockedOutChoice')}
            options={[
              { value: 'invite', label: t('unprovenInvite'), hint: t('unprovenInviteHint') },
              { value: 'confirm', label: t('unprovenConfirm') },
            ]}
            value={choice}
            onChange={(next) => setChoice(next as 'invite' | 'confirm')}
          />
        )}
        {choice === 'confirm' && (
          <Field
            id={id}
            label={t('unprovenReason')}
            hint={t('unprovenConfirmHint')}
            error={missing && reason.trim() === '' ? t('required') : undefined}
          >
            <TextArea
              rows={2}
              maxLength={500}
              required
              value={reason}
              onChange={(event) => setReason(event.target.value)}
            />
          </Field>
        )}
      </FormGrid>
    </ConfirmDialog>
  )
}
