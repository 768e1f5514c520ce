import Ban from 'lucide-react/icons/ban'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type SetupDetails, samlSetups } from '#contract/saml-setups/saml-setups.ts'
import type { CloseDialog } from '#web/lib/dialogs/dialog-route.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { toasts } from '#web/ui/toast/toast-store.ts'

/** Ends the link, after a question. */
export function RevokeSetup({ setup, onClose }: { setup: SetupDetails; onClose: CloseDialog }) {
  const { t } = useTranslation()
  const [asking, setAsking] = useState(false)
  const revoke = useSave(samlSetups.revoke)
  const confirm = () =>
    revoke.mutate(
      { params: { id: setup.setupId } },
      {
        onSuccess: () => {
          toasts.show({ tone: 'success', title: t('setupRevoked') })
          onClose({ saved: true })
        },
      },
    )
  return (
    <>
      <Button variant="risky" icon={Ban} onClick={() => setAsking(true)}>
        {t('setupRevoke')}
      </Button>
      <ConfirmDialog
        open={asking}
        title={t('setupRevokeTitle', { name: setup.organizationName })}
        cancelLabel={t('cancel')}
        confirmLabel={t('setupRevoke')}
        loading={revoke.isPending}
        onCancel={() => setAsking(false)}
        onConfirm={confirm}
      >
        {t('setupRevokeText')}
      </ConfirmDialog>
    </>
  )
}
