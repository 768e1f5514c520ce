import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { factors } from '#contract/factors/factors.ts'
import { freshQuery } from '#web/lib/requests/query.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx'
import { useNewCodes } from './use-new-codes.ts'

/** After a new key: recovery codes, for who has none. */
export function OfferCodes() {
  const { t } = useTranslation()
  const own = useQuery(freshQuery(factors.read))
  const [declined, setDeclined] = useState(false)
  const codes = useNewCodes()
  if (codes.made) return <RecoveryCodesDialog codes={codes.made} onClose={codes.close} />
  return (
    <ConfirmDialog
      open={own.data?.recoveryCodes === null && !declined}
      title={t('recoveryCodesOfferTitle')}
      tone="primary"
      cancelLabel={t('notNow')}
      confirmLabel={t('createRecoveryCodes')}
      loading={codes.isPending}
      onCancel={() => setDeclined(true)}
      onConfirm={codes.make}
    >
      {t('recoveryCodesOfferText')}
    </ConfirmDialog>
  )
}
