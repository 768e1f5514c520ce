import LifeBuoy from 'lucide-react/icons/life-buoy'
import { useTranslation } from 'react-i18next'
import type { OwnFactors } from '#contract/factors/factors.ts'
import { RecoveryCodesDialog } from '#web/lib/recovery-codes/recovery-codes-dialog.tsx'
import { useNewCodes } from '#web/lib/recovery-codes/use-new-codes.ts'
import { Button } from '#web/ui/button.tsx'
import { Icon } from '#web/ui/icon.tsx'
import styles from '#web/ui/things.module.css'

/** How many recovery codes are left, and new ones. */
export function OwnRecoveryCodes({ codes }: { codes: OwnFactors['recoveryCodes'] }) {
  const { t } = useTranslation()
  const { made, make, isPending, close } = useNewCodes()
  return (
    <li className={styles.row}>
      <Icon of={LifeBuoy} size={20} />
      <div className={styles.about}>
        <p className={styles.name}>{t('recoveryCodes')}</p>
        <p className={styles.facts}>{codes ? t('recoveryCodesLeft', { count: codes.left }) : t('recoveryCodesNone')}</p>
      </div>
      <Button size="small" loading={isPending} onClick={make}>
        {t(codes ? 'replaceRecoveryCodes' : 'createRecoveryCodes')}
      </Button>
      {made && <RecoveryCodesDialog codes={made} onClose={close} />}
    </li>
  )
}
