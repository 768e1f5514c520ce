import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type QueueState, system } from '#contract/system/system.ts'
import { call } from '#web/lib/requests/api.ts'
import { Alert } from '#web/ui/alert.tsx'
import { Button } from '#web/ui/button.tsx'
import styles from './system.module.css'

/** After an outage: what waits for its next try leaves now. */
export function SendWaiting({ queues }: { queues: readonly QueueState[] }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const { mutate, data, isPending } = useMutation({
    mutationFn: () => call(system.sendWaiting),
    onSettled: () => client.invalidateQueries(),
  })
  const count = queues.reduce((sum, { name, waiting }) => (name === 'mail' || name === 'sms' ? sum + waiting : sum), 0)
  return (
    <div className={styles.mail}>
      {count > 0 && (
        <>
          <p>{t('systemWaiting', { count })}</p>
          <Button loading={isPending} onClick={() => mutate()}>
            {t('sendWaiting')}
          </Button>
        </>
      )}
      <div role="status">
        {data && (
          <Alert tone={data.messages > 0 ? 'ok' : 'info'}>
            {data.messages > 0 ? t('waitingSent', { count: data.messages }) : t('waitingNone')}
          </Alert>
        )}
      </div>
    </div>
  )
}
