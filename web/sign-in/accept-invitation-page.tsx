import { useEffect, useRef, useState } from 'react'
import { Alert } from '#web/ui/alert.tsx'
import { AuthCard } from '#web/ui/auth-frame.tsx'
import { LinkButton } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { findInvitation } from './calls.ts'
import { loadPart } from './load-part.ts'
import { MailedLink, SkeletonField } from './mailed-link.tsx'
import { usePublicPage, useWindowTitle } from './public-page.tsx'

/** How long the notice stands before the root page comes; ms. Whoever does not want to wait has a button. */
const noticeStays = 4000

async function find(token: string) {
  const [invitation, { AcceptInvitationForm }] = await Promise.all([
    findInvitation(token),
    loadPart(import('./accept-invitation-form.tsx')),
  ])
  return { invitation, Form: AcceptInvitationForm }
}

export function AcceptInvitationPage() {
  const { t, data } = usePublicPage()
  const [accepted, setAccepted] = useState(false)
  if (accepted) return <Accepted />
  return (
    <MailedLink
      find={find}
      findingLabel={t('findingInvitation')}
      skeleton={
        <>
          <Skeleton width="half" />
          {['email', 'firstName', 'lastName', 'proof'].map((field) => (
            <SkeletonField key={field} />
          ))}
        </>
      }
      invalid={() => (
        <>
          <Alert tone="danger" live="alert" title={t('invitationInvalid')}>
            {t('invitationInvalidText')}
          </Alert>
          <LinkButton href="/" full>
            {t('goHome')}
          </LinkButton>
        </>
      )}
    >
      {({ invitation, Form }, link) => {
        const name = invitation.organizationName ?? data.companyName
        return (
          <AuthCard title={t('welcomeTo', { name })} intro={t('welcomeIntro')}>
            <Form invitation={invitation} {...link} onAccepted={() => setAccepted(true)} />
          </AuthCard>
        )
      }}
    </MailedLink>
  )
}

/** The notice, and then the root page. */
function Accepted() {
  const { t } = usePublicPage()
  const onwards = useRef<HTMLAnchorElement>(null)
  useWindowTitle()
  useEffect(() => {
    // The form is gone, and with it the place where the person was.
    onwards.current?.focus()
    const timer = setTimeout(() => location.assign('/'), noticeStays)
    return () => clearTimeout(timer)
  }, [])
  return (
    <AuthCard title={t('invitationAccepted')}>
      <Alert tone="ok" live="status">
        {t('invitationAcceptedText')}
      </Alert>
      <LinkButton ref={onwards} href="/" variant="primary" full>
        {t('continue')}
      </LinkButton>
    </AuthCard>
  )
}
