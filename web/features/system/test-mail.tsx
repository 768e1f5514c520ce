import { useMutation } from '@tanstack/react-query'
import Send from 'lucide-react/icons/send'
import { useTranslation } from 'react-i18next'
import { system } from '#contract/system/system.ts'
import { call } from '#web/lib/requests/api.ts'
import { useSignedIn } from '#web/lib/session/signed-in.tsx'
import { Alert } from '#web/ui/alert.tsx'
import { Button } from '#web/ui/button.tsx'
import styles from './system.module.css'

/** Sends a mail to the reader and shows what the mail server answered. */
export function TestMail() {
  const { t } = useTranslation()
  const { email } = useSignedIn().me
  const { mutate, data, isPending } = useMutation({ mutationFn: () => call(system.testMail) })
  return (
    <div className={styles.mail}>
      <p>{t('systemMailHint', { email })}</p>
      <Button icon={Send} loading={isPending} onClick={() => mutate()}>
        {t('sendTestMail')}
      </Button>
      <div role="status">
        {data?.sent && <Alert tone="ok">{t('testMailSent', { email })}</Alert>}
        {data && !data.sent && (
          <Alert tone="danger" title={t('testMailFailed')}>
            <code className={styles.reason} lang="en">
              {data.reason}
            </code>
          </Alert>
        )}
      </div>
    </div>
  )
}
