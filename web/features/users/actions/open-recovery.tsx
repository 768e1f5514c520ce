import { useTranslation } from 'react-i18next'
import { type Recovery, recoveries } from '#contract/recoveries/recoveries.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { dateTimeText } from '#web/lib/texts/dates.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { FormGrid } from '#web/ui/frame/page.tsx'
import { toasts } from '#web/ui/toast/toast-store.ts'

interface OpenRecoveryProps {
  accountId: string
  recovery: Recovery
  onClose: () => void
}

/** What an admin has begun for a person: a second admin can let it happen now, and each can stop it. */
export function OpenRecovery({ accountId, recovery, onClose }: OpenRecoveryProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const confirm = useSave(recoveries.confirm)
  const stop = useSave(recoveries.stop)
  const { reason, dueAt, mayConfirm } = recovery
  const act = async (change: typeof confirm, done: 'recoveryDone' | 'recoveryStopped') => {
    // A failure is a toast, and the dialog stays.
    const isDone = await change.mutateAsync({ params: { id: accountId } }).then(
      () => true,
      () => false,
    )
    if (!isDone) return
    toasts.show({ tone: 'success', title: t(done) })
    onClose()
  }
  return (
    <Dialog
      open
      size="confirm"
      title={t('recoveryUnderWay')}
      closeLabel={t('close')}
      onClose={onClose}
      footer={
        <>
          <Button loading={stop.isPending} onClick={() => void act(stop, 'recoveryStopped')}>
            {t('recoveryStop')}
          </Button>
          {mayConfirm && (
            <Button variant="primary" loading={confirm.isPending} onClick={() => void act(confirm, 'recoveryDone')}>
              {t('recoveryConfirm')}
            </Button>
          )}
        </>
      }
    >
      <FormGrid>
        <p>{t('recoveryDue', { moment: dateTimeText(dueAt, language) })}</p>
        <p>
          <strong>{t('eventPropertyReason')}</strong>
          <br />
          {reason}
        </p>
        <p>{t(mayConfirm ? 'recoveryConfirmText' : 'recoveryWaitText')}</p>
      </FormGrid>
    </Dialog>
  )
}
