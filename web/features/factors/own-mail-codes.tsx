import Mail from 'lucide-react/icons/mail'
import { useTranslation } from 'react-i18next'
import { factors } from '#contract/factors/factors.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { Button } from '#web/ui/button.tsx'
import { Icon } from '#web/ui/icon.tsx'
import styles from '#web/ui/things.module.css'
import { toasts } from '#web/ui/toast/toast-store.ts'

/** Codes by mail, which somebody with two strong factors can switch off. */
export function OwnMailCodes({ off }: { off: boolean }) {
  const { t } = useTranslation()
  const { mutate, isPending } = useSave(factors.chooseMail)
  const change = () =>
    mutate({ input: { on: off } }, { onSuccess: () => toasts.show({ tone: 'success', title: t('usualFactorSaved') }) })
  return (
    <li className={styles.row}>
      <Icon of={Mail} size={20} />
      <div className={styles.about}>
        <p className={styles.name}>{t('mailCodes')}</p>
        <p className={styles.facts}>{t(off ? 'mailCodesOff' : 'mailCodesOn')}</p>
      </div>
      <Button size="small" loading={isPending} onClick={change}>
        {t(off ? 'switchMailCodesOn' : 'switchMailCodesOff')}
      </Button>
    </li>
  )
}
