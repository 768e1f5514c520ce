import { useTranslation } from 'react-i18next'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import type { RemovalQuestion } from './use-organization-dialog.ts'

interface RemovalDialogProps {
  organizationName: string
  question: RemovalQuestion | undefined
}

/** Asks for confirmation before users lose a service. */
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
