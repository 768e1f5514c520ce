import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ownRecovery } from '#contract/recoveries/recoveries.ts'
import { query } from '#web/lib/requests/query.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { dateTimeText } from '#web/lib/texts/dates.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { Alert } from '#web/ui/alert.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { toasts } from '#web/ui/toast/toast-store.ts'

/** What an admin has asked for, for this account: the person stops it, or lets it happen now. */
export function OwnRecovery() {
  const { t } = useTranslation()
  const language = useLanguage()
  const [asking, setAsking] = useState(false)
  const { data } = useQuery(query(ownRecovery.read))
  const stop = useSave(ownRecovery.stop)
  const confirm = useSave(ownRecovery.confirm)
  if (!data?.recovery) return null
  const { dueAt, reason } = data.recovery
  return (
    <Alert
      tone="warn"
      title={t('ownRecoveryTitle')}
      action={
        <>
          <Button
            size="small"
            loading={stop.isPending}
            onClick={() =>
              stop.mutate(undefined, {
                onSuccess: () => toasts.show({ tone: 'success', title: t('recoveryStopped') }),
              })
            }
          >
            {t('recoveryStop')}
          </Button>
          <Button size="small" onClick={() => setAsking(true)}>
            {t('ownRecoveryConfirm')}
          </Button>
        </>
      }
    >
      {t('ownRecoveryText', { moment: dateTimeText(dueAt, language), reason })}
      <ConfirmDialog
        open={asking}
        title={t('ownRecoveryConfirm')}
        cancelLabel={t('cancel')}
        confirmLabel={t('ownRecoveryConfirm')}
        loading={confirm.isPending}
        onCancel={() => setAsking(false)}
        onConfirm={() =>
          confirm.mutate(undefined, {
            onSuccess: () => location.assign('/'),
            onError: () => setAsking(false),
          })
        }
      >
        {t('ownRecoveryConfirmText')}
      </ConfirmDialog>
    </Alert>
  )
}
