import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { maxSignOuts, type ServiceSignOut, serviceClients } from '#contract/service-clients/service-clients.ts'
import type { LogoutState } from '#contract/sign-in/sign-in.ts'
import { DayList } from '#web/lib/lists/day-list.tsx'
import { Loaded } from '#web/lib/requests/loaded.tsx'
import { query } from '#web/lib/requests/query.ts'
import { deliveryProblem } from '#web/lib/texts/delivery-problem.ts'
import { Badge } from '#web/ui/badge.tsx'
import styles from '#web/ui/day-list.module.css'
import { Switch } from '#web/ui/fields/checkbox.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'

const states = {
  told: ['signOutTold', 'ok'],
  queued: ['signOutQueued', 'neutral'],
  failed: ['signOutFailed', 'danger'],
  untold: ['signOutUntold', 'neutral'],
} as const satisfies Record<LogoutState, readonly [string, string]>

/** The sessions that ended, and whether the service knows: to find out why somebody is still signed in there. */
export function SignOuts({ serviceId, inBrowser }: { serviceId: string; inBrowser: boolean }) {
  const { t } = useTranslation()
  const [failedOnly, setFailedOnly] = useState(false)
  const list = useQuery({
    ...query(serviceClients.signOuts, { params: { id: serviceId }, query: failedOnly ? { failed: 'true' } : {} }),
    placeholderData: (before) => before,
    staleTime: 0,
  })
  return (
    <div className={styles.list}>
      <p className={styles.quiet}>{t('signOutsText')}</p>
      <Switch
        label={t('signOutsFailedOnly')}
        checked={failedOnly}
        onChange={(event) => setFailedOnly(event.target.checked)}
      />
      <Loaded
        query={list}
        skeleton={
          <SkeletonGroup label={t('loading')}>
            <Skeleton count={6} />
          </SkeletonGroup>
        }
      >
        {(rows) => (
          <>
            {rows.length === 0 && <p role="status">{t(failedOnly ? 'signOutsNoneFailed' : 'signOutsEmpty')}</p>}
            <DayList rows={rows} busy={list.isPlaceholderData}>
              {(row) => <SignOut {...row} inBrowser={inBrowser} />}
            </DayList>
            {rows.length === maxSignOuts && (
              <p className={styles.quiet}>{t('samlSignInsFirst', { count: maxSignOuts })}</p>
            )}
          </>
        )}
      </Loaded>
    </div>
  )
}

function SignOut({ email, state, attempts, reason, inBrowser }: ServiceSignOut & { inBrowser: boolean }) {
  const { t } = useTranslation()
  const [text, tone] = states[state]
  return (
    <>
      <p className={styles.person}>
        <span>{email ?? t('signOutDeleted')}</span>
        <Badge tone={tone}>{t(state === 'untold' && inBrowser ? 'signOutInBrowser' : text)}</Badge>
      </p>
      {reason && <p className={state === 'failed' ? styles.failure : styles.quiet}>{deliveryProblem(t, reason)}</p>}
      {attempts > 1 && <p className={styles.quiet}>{t('signOutAttempts', { count: attempts })}</p>}
    </>
  )
}
