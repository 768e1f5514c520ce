import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type OwnSession, profile } from '#contract/profile/profile.ts'
import { Loaded } from '#web/lib/requests/loaded.tsx'
import { query } from '#web/lib/requests/query.ts'
import { SignOutOthers } from '#web/lib/session/sign-out-others.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card, FormActions } from '#web/ui/frame/page.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import styles from '#web/ui/things.module.css'
import { OwnSessionRow } from './own-session-row.tsx'

/** The user's sessions, with buttons to sign out of them. */
export function OwnSessions() {
  const { t } = useTranslation()
  const title = useId()
  const sessions = useQuery({ ...query(profile.sessions), staleTime: 0 })
  return (
    <Card>
      <section className={styles.section} aria-labelledby={title}>
        <div className={styles.heading}>
          <h2 id={title} tabIndex={-1}>
            {t('ownSessions')}
          </h2>
          <p>{t('ownSessionsText')}</p>
        </div>
        <Loaded query={sessions} skeleton={<SessionsSkeleton />}>
          {(list) => (
            <>
              <ul>
                {list.map((one) => (
                  <OwnSessionRow key={one.id} session={one} headingId={title} />
                ))}
              </ul>
              <EndOthers sessions={list} headingId={title} />
            </>
          )}
        </Loaded>
      </section>
    </Card>
  )
}

function EndOthers({ sessions, headingId }: { sessions: readonly OwnSession[]; headingId: string }) {
  const { t } = useTranslation()
  const [asking, setAsking] = useState(false)
  if (sessions.length < 2 && !asking) return null
  const close = (done: boolean) => {
    setAsking(false)
    // The focused button is about to be removed, so move the focus to the list's heading.
    if (done) document.getElementById(headingId)?.focus()
  }
  return (
    <FormActions>
      <Button onClick={() => setAsking(true)}>{t('signOutOtherDevices')}</Button>
      <SignOutOthers open={asking} text={t('signOutOtherDevicesText')} onClose={close} />
    </FormActions>
  )
}

function SessionsSkeleton() {
  const { t } = useTranslation()
  return (
    <SkeletonGroup label={t('loading')}>
      <Skeleton shape="row" count={2} />
    </SkeletonGroup>
  )
}
