import { useTranslation } from 'react-i18next'
import { accessReviews } from '#contract/access-reviews/access-reviews.ts'
import type { ReviewPerson } from '#contract/access-reviews/review-answers.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { problemText } from '#web/lib/texts/problem-text.ts'
import { Alert } from '#web/ui/alert.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { toasts } from '#web/ui/toast/toast-store.ts'
import { focusNext } from './use-row-keys.ts'

interface AtOnceDialogProps {
  organizationId: string
  person: ReviewPerson
  onClose: () => void
}

/** Takes back now what was decided so for one person. */
export function AtOnceDialog({ organizationId, person, onClose }: AtOnceDialogProps) {
  const { t } = useTranslation()
  const save = useSave(accessReviews.takeBackAtOnce, { inline: true })
  const { accountId, name, email } = person
  const rows = person.rows.filter(({ decision, present }) => decision === 'takeBack' && present)
  const groups = [...new Set(rows.flatMap((row) => row.groups))]
  const names = { person: name ?? email, services: rows.map(({ serviceName }) => serviceName).join(', ') }
  const confirm = () =>
    save.mutate(
      { params: { id: organizationId }, input: { accountId, rowIds: rows.map(({ rowId }) => rowId) } },
      {
        onSuccess: () => {
          toasts.show({ tone: 'success', title: t('reviewAtOnceDone', names) })
          onClose()
        },
      },
    )
  return (
    <ConfirmDialog
      open
      title={t('reviewAtOnceTitle', names)}
      cancelLabel={t('cancel')}
      confirmLabel={t('reviewAtOnceConfirm')}
      loading={save.isPending}
      error={
        save.error && (
          <Alert tone="danger" live="alert">
            {problemText(save.error)}
          </Alert>
        )
      }
      finalFocus={() => {
        if (save.isSuccess) focusNext()
        return save.isSuccess ? (document.activeElement as HTMLElement) : true
      }}
      onConfirm={confirm}
      onCancel={onClose}
    >
      {t('reviewAtOnceText', names)}
      {groups.length > 0 && ` ${t('reviewLeavesGroups', { names: groups.join(', ') })}`}
    </ConfirmDialog>
  )
}
