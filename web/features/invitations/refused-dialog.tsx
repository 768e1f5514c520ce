import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '#web/lib/session/can.tsx'
import { useSignedIn } from '#web/lib/session/signed-in.tsx'
import { Alert } from '#web/ui/alert.tsx'
import { Dialog } from '#web/ui/dialog.tsx'

interface RefusedDialogProps {
  organizationId: string
  title: string
  onClose: () => void
  /** The dialog for admins of the organisation. */
  children: ReactNode
}

/**
 * Shows "forbidden" to users who open the address without being an admin: service admins can open the list behind it.
 */
export function RefusedDialog({ organizationId, title, onClose, children }: RefusedDialogProps) {
  const { t } = useTranslation()
  const can = useCan()
  const { settled } = useSignedIn()
  if (can('invitePeople', { organizationId })) return children
  if (!settled) return null
  return (
    <Dialog open size="confirm" title={title} closeLabel={t('close')} onClose={onClose}>
      <Alert tone="danger" live="alert">
        {t('forbidden')}
      </Alert>
    </Dialog>
  )
}
