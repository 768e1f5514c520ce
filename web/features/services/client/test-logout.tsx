import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { clientTrials } from '#contract/service-clients/client-trial.ts'
import { call } from '#web/lib/requests/api.ts'
import { problemText } from '#web/lib/texts/problem-text.ts'
import { Alert } from '#web/ui/alert.tsx'
import { Button } from '#web/ui/button.tsx'
import styles from './client.module.css'

/** Calls the saved sign-out address of a service, and tells what it answered. */
export function TestLogout({ serviceId }: { serviceId: string }) {
  const { t } = useTranslation()
  const test = useMutation({
    mutationFn: () => call(clientTrials.testLogout, { params: { id: serviceId } }),
    meta: { inline: true },
  })
  const { data, error } = test
  return (
    <div className={styles.secrets}>
      <div className={styles.actions}>
        <Button size="small" loading={test.isPending} onClick={() => test.mutate()}>
          {t('testLogout')}
        </Button>
      </div>
      {data && (
        <Alert tone={data.status < 300 ? 'ok' : 'warn'} live="status">
          {t(data.status < 300 ? 'testLogoutDone' : 'testLogoutRefused', { status: data.status })}
        </Alert>
      )}
      {error && (
        <Alert tone="danger" live="alert">
          {problemText(error)}
        </Alert>
      )}
    </div>
  )
}
