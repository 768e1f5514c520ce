import { useTranslation } from 'react-i18next'
import { Alert } from '#web/ui/alert.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { CopyField } from '#web/ui/fields/copy-field.tsx'

/** The secret of an endpoint, which no other screen shows. */
export function SecretDialog({ secret, hint, onClose }: { secret: string; hint: string; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog
      open
      title={t('streamSecret')}
      closeLabel={t('close')}
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose}>
          {t('close')}
        </Button>
      }
    >
      <Alert tone="warn">{t('streamSecretOnce')}</Alert>
      <CopyField label={t('streamSecret')} hint={hint} value={secret} copyLabel={t('copy')} copiedLabel={t('copied')} />
    </Dialog>
  )
}
