import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { users } from '#contract/users/users.ts'
import { call } from '#web/lib/requests/api.ts'
import { problemText } from '#web/lib/texts/problem-text.ts'
import { Alert } from '#web/ui/alert.tsx'
import { Button } from '#web/ui/button.tsx'
import styles from './reveal-ssn.module.css'

/** Shows a masked personal number to a super user. */
export function RevealSsn({ accountId }: { accountId: string }) {
  const { t } = useTranslation()
  const reveal = useMutation<{ ssn: string | null }>({
    mutationFn: () => call(users.revealSsn, { params: { id: accountId } }),
    meta: { inline: true },
  })
  const { error, data } = reveal
  if (data) return <p role="status">{t('ssnRevealed', { ssn: data.ssn ?? '–' })}</p>
  return (
    <div className={styles.reveal}>
      <Button loading={reveal.isPending} onClick={() => reveal.mutate()}>
        {t('revealSsn')}
      </Button>
      {error && <Alert tone="danger" live="alert" title={problemText(error)} />}
    </div>
  )
}
