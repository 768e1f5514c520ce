import Download from 'lucide-react/icons/download'
import Printer from 'lucide-react/icons/printer'
import { useTranslation } from 'react-i18next'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { FormActions, FormGrid } from '#web/ui/frame/page.tsx'
import styles from './recovery-codes.module.css'

interface RecoveryCodesDialogProps {
  codes: readonly string[]
  onClose: () => void
}

/** New recovery codes, shown this once: to save, to print, or to write down. */
export function RecoveryCodesDialog({ codes, onClose }: RecoveryCodesDialogProps) {
  const { t } = useTranslation()
  return (
    <Dialog
      open
      size="wide"
      title={t('recoveryCodesTitle')}
      closeLabel={t('close')}
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose}>
          {t('close')}
        </Button>
      }
    >
      <FormGrid>
        <p>{t('recoveryCodesShownOnce')}</p>
        <ol className={styles.codes}>
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ol>
        <FormActions>
          <Button icon={Download} onClick={() => save(codes, `${t('recoveryCodes')}.txt`)}>
            {t('saveAsFile')}
          </Button>
          <Button icon={Printer} onClick={() => print()}>
            {t('print')}
          </Button>
        </FormActions>
      </FormGrid>
    </Dialog>
  )
}

function save(codes: readonly string[], name: string): void {
  const lines = [location.origin, '', ...codes, '']
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([lines.join('\r\n')], { type: 'text/plain' }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
