import { useQuery } from '@tanstack/react-query'
import { Navigate, Outlet, useLocation } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { portal } from '#contract/portal/portal.ts'
import { ConfirmIdentity } from '#web/features/step-up/step-up.room.ts'
import { useIdentityQuestion } from '#web/lib/requests/confirm-identity.ts'
import { query } from '#web/lib/requests/query.ts'
import { SignOutForm } from '#web/lib/requests/sign-out.tsx'
import { useSignedIn } from '#web/lib/session/signed-in.tsx'
import { AppFrame } from '#web/ui/frame/page.tsx'
import { QuarantineBanner } from '#web/ui/frame/quarantine-banner.tsx'
import { SkipLink } from '#web/ui/frame/skip-link.tsx'
import { ToastRegion } from '#web/ui/toast/toast-region.tsx'
import { Footer } from './footer.tsx'
import { Header } from './header/header.tsx'
import { SessionWatch } from './session/session-watch.tsx'
import { useBrandHue } from './use-brand-hue.ts'
import { usePageChange } from './use-page-change.ts'
import { usePageTitle } from './use-page-title.ts'

/** Everything around a screen, for somebody who is signed in. */
export function Frame() {
  const { t } = useTranslation()
  const href = useLocation({ select: (at) => at.href })
  const { data: info } = useQuery(query(portal.info))
  usePageTitle()
  usePageChange()
  useBrandHue()
  return (
    <>
      {info?.quarantine && <QuarantineBanner text={t('quarantineBanner')} />}
      <AppFrame
        skipLink={<SkipLink>{t('skipToContent')}</SkipLink>}
        topBar={<Header />}
        footer={<Footer />}
        address={location.origin + href}
      >
        <Screen />
      </AppFrame>
      <SignOutForm />
      <SessionWatch />
      <IdentityQuestion />
      <ToastRegion label={t('notifications')} closeLabel={t('closeNotification')} />
    </>
  )
}

/** The one dialog for every call that asks for a fresh proof. */
function IdentityQuestion() {
  const question = useIdentityQuestion()
  return (
    question && (
      <Suspense>
        <ConfirmIdentity wanted={question.wanted} onSettled={question.settle} />
      </Suspense>
    )
  )
}

/** The screen of the address; for somebody who must change the password or add a second factor first, always that one. */
function Screen() {
  const { me } = useSignedIn()
  const path = useLocation({ select: ({ pathname }) => pathname })
  return (me.passwordMustChange || me.mustEnrol) && path !== '/account' ? (
    <Navigate to="/account" replace />
  ) : (
    <Outlet />
  )
}
