import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type OwnSession, profile } from '#contract/profile/profile.ts'
import { Loaded } from '#web/lib/requests/loaded.tsx'
import { query } from '#web/lib/requests/query.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Card, FormActions } from '#web/ui/frame/page.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import styles from '#web/ui/things.module.css'
import { toasts } from '#web/ui/toast/toast-store.ts'
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
              <SignOutOthers sessions={list} headingId={title} />
            </>
          )}
        </Loaded>
      </section>
    </Card>
  )
}

function SignOutOthers({ sessions, headingId }: { sessions: readonly OwnSession[]; headingId: string }) {
  const { t } = useTranslation()
  const [asking, setAsking] = useState(false)
  const { mutate, isPending } = useSave(profile.endOtherSessions)
  if (sessions.length < 2 && !asking) return null
  const signOutOthers = () =>
    mutate(undefined, {
      onSuccess: () => {
        toasts.show({ tone: 'success', title: t('otherDevicesSignedOut') })
        // The focused button is about to be removed, so move the focus to the list's heading.
        document.getElementById(headingId)?.focus()
      },
      onSettled: () => setAsking(false),
    })
  return (
    <FormActions>
      <Button onClick={() => setAsking(true)}>{t('signOutOtherDevices')}</Button>
      <ConfirmDialog
        open={asking}
        title={t('signOutOtherDevicesTitle')}
        cancelLabel={t('cancel')}
        confirmLabel={t('signOut')}
        loading={isPending}
        onCancel={() => setAsking(false)}
        onConfirm={signOutOthers}
      >
        {t('signOutOtherDevicesText')}
      </ConfirmDialog>
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
