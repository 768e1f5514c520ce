import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { ImportFailure } from './import-failure.tsx'
import type { useImport } from './use-import.ts'

interface ConfirmImportProps {
  open: boolean
  organizationName: string
  invited: number
  leftOut: number
  list: ReturnType<typeof useImport>
  onClose: () => void
}

/** Asks for confirmation before invitations are sent. */
export function ConfirmImport({ open, organizationName, invited, leftOut, list, onClose }: ConfirmImportProps) {
  const { t } = useTranslation()
  const close = () => {
    list.forgetError()
    onClose()
  }
  return (
    <ConfirmDialog
      open={open}
      tone="primary"
      title={t('importConfirmTitle', { count: invited, name: organizationName })}
      cancelLabel={t('cancel')}
      confirmLabel={t('importInvite', { count: invited })}
      loading={list.sending}
      error={<ImportFailure error={list.error} />}
      onCancel={close}
      onConfirm={async () => {
        if (await list.carryOut()) close()
      }}
    >
      {t('importConfirmText')} {leftOut > 0 && t('importLeftOut', { count: leftOut })}
    </ConfirmDialog>
  )
}
