import { useTranslation } from 'react-i18next'
import { users } from '#contract/users.ts'
import { useSave } from '#web/lib/use-save.ts'
import { Button } from '#web/ui/button.tsx'
import { toasts } from '#web/ui/toast-store.ts'
import styles from './user-dialog.module.css'

interface LastActiveProps {
  accountId: string
  text: string
  /** The form around it, which has to know. */
  beside: (change: () => Promise<void>) => void
}

/** When somebody was last active, and a way to say: just now. It lets a passive person in again. */
export function LastActive({ accountId, text, beside }: LastActiveProps) {
  const { t } = useTranslation()
  const update = useSave(users.setLastActive)
  const say = () =>
    beside(async () => {
      await update.mutateAsync({ params: { id: accountId, value: 'now' } })
      toasts.show({ tone: 'success', title: t('lastActiveUpdated') })
    })
  return (
    <span className={styles.fact}>
      <span>{text}</span>
      <Button size="small" loading={update.isPending} onClick={say}>
        {t('updateLastActive')}
      </Button>
    </span>
  )
}
