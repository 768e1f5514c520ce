import { useTranslation } from 'react-i18next'
import { useLanguage } from '#web/lib/i18n.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import type { RemovalQuestion } from './use-organization-form.ts'

interface RemovalDialogProps {
  organizationName: string
  question: RemovalQuestion | undefined
}

/** Before people lose a service: which one, and where. */
export function RemovalDialog({ organizationName, question }: RemovalDialogProps) {
  const { t } = useTranslation()
  const list = new Intl.ListFormat(useLanguage(), { type: 'conjunction' })
  return (
    <ConfirmDialog
      open={Boolean(question)}
      title={t('removeUsedServicesTitle')}
      cancelLabel={t('cancel')}
      confirmLabel={t('removeAndSave')}
      onCancel={() => question?.answer(false)}
      onConfirm={() => question?.answer(true)}
    >
      {t('removeUsedServicesText', { name: organizationName, services: list.format(question?.names ?? []) })}
    </ConfirmDialog>
  )
}
