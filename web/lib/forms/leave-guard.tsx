import { useBlocker } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

interface LeaveGuardProps {
  dirty: boolean
  /** Addresses below this one leave the form open, such as a dialog above it. */
  within?: string | undefined
}

/**
 * Asks before unsaved changes are lost: on Escape, scrim, Back, a link and, by the browser's own question, on closing
 * the tab. Dialogs close by navigating, so one guard sees all of it. After a save, `navigate({ignoreBlocker: true})`.
 */
export function LeaveGuard({ dirty, within }: LeaveGuardProps) {
  const { t } = useTranslation()
  const blocker = useBlocker({
    shouldBlockFn: ({ next }) => dirty && !(within && `${next.pathname}/`.startsWith(`${within}/`)),
    enableBeforeUnload: () => dirty,
    withResolver: true,
    disabled: !dirty,
  })
  return (
    <ConfirmDialog
      open={blocker.status === 'blocked'}
      title={t('discardChangesTitle')}
      cancelLabel={t('goBackToForm')}
      confirmLabel={t('discardChanges')}
      onCancel={() => blocker.reset?.()}
      onConfirm={() => blocker.proceed?.()}
    >
      {t('discardChangesText')}
    </ConfirmDialog>
  )
}
