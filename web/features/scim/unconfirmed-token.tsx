import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { directories, type ScimToken } from '#contract/scim/scim.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { problemText } from '#web/lib/texts/problem-text.ts'
import { Alert } from '#web/ui/alert.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { toasts } from '#web/ui/toast/toast-store.ts'

interface UnconfirmedTokenProps {
  organizationId: string
  token: ScimToken
  /** As this viewer may know it. */
  maker: string
}

/** A token for which nobody answers any more, and the button of an admin who does. */
export function UnconfirmedToken({ organizationId, token: { tokenId, name }, maker }: UnconfirmedTokenProps) {
  const { t } = useTranslation()
  const [asking, setAsking] = useState(false)
  const confirm = useSave(directories.confirmToken, { inline: true })
  const onSuccess = () => {
    setAsking(false)
    toasts.show({ tone: 'success', title: t('scimConfirmed', { name }) })
  }
  return (
    <>
      <Alert
        tone="warn"
        title={t('scimUnconfirmed', { name })}
        action={
          <Button size="small" onClick={() => setAsking(true)}>
            {t('scimConfirmNamed', { name })}
          </Button>
        }
      >
        {t('scimUnconfirmedText', { maker })}
      </Alert>
      <ConfirmDialog
        open={asking}
        tone="primary"
        title={t('scimConfirmNamed', { name })}
        cancelLabel={t('cancel')}
        confirmLabel={t('scimConfirm')}
        loading={confirm.isPending}
        error={confirm.error && <Alert tone="danger">{problemText(confirm.error)}</Alert>}
        onCancel={() => setAsking(false)}
        onConfirm={() => confirm.mutate({ params: { id: organizationId, tokenId } }, { onSuccess })}
      >
        {t('scimConfirmText')}
      </ConfirmDialog>
    </>
  )
}
