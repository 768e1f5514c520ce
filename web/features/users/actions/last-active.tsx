import { useTranslation } from 'react-i18next'
import { users } from '#contract/users/users.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { Button } from '#web/ui/button.tsx'
import { toasts } from '#web/ui/toast/toast-store.ts'
import styles from '../user-dialog.module.css'

interface LastActiveProps {
  accountId: string
  /** Undefined when the signed-in user may not see it. */
  text: string | undefined
  /** Runs a change outside the form, and updates the form's version afterwards. */
  beside: (change: () => Promise<void>) => void
}

/** When the user was last active, with a button to set it to now. That reactivates a passive user. */
export function LastActive({ accountId, text, beside }: LastActiveProps) {
  const { t } = useTranslation()
  const update = useSave(users.setLastActive)
  const markActive = () =>
    beside(async () => {
      await update.mutateAsync({ params: { id: accountId, value: 'now' } })
      toasts.show({ tone: 'success', title: t('lastActiveUpdated') })
    })
  return (
    <span className={styles.fact}>
      {text && <span>{text}</span>}
      <Button size="small" loading={update.isPending} onClick={markActive}>
        {t('updateLastActive')}
      </Button>
    </span>
  )
}
