import { useEffect, useRef, useState } from 'react'
import { Alert } from '#web/ui/alert.tsx'
import { LinkButton } from '#web/ui/button.tsx'
import { AuthCard } from '#web/ui/frame/auth-frame.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { findInvitation, findSignedIn } from '../frame/calls.ts'
import { loadPart } from '../frame/load-part.ts'
import { MailedLink, SkeletonField } from '../frame/mailed-link.tsx'
import { usePublicPage } from '../frame/public-page.tsx'

/** How long the notice stands before the root page comes; ms. Someone who does not want to wait has a button. */
const noticeStays = 4000

/** What the link asks for: a form for a new account, or a yes or no from someone who has one. */
async function find(token: string) {
  const invitation = await findInvitation(token)
  if (invitation.account === 'new') {
    const { AcceptInvitationForm: Form } = await loadPart(import('./accept-invitation-form.tsx'))
    return { invitation, Form }
  }
  const [signedIn, { JoinOrganization: Join }] = await Promise.all([
    findSignedIn(),
    loadPart(import('./join-organization.tsx')),
  ])
  return { invitation, signedInAs: signedIn?.email, Join }
}

/** What the notice says once the invitation is accepted. */
interface Outcome {
  text: 'invitationAcceptedText' | 'joinedText'
  name: string
}

export function AcceptInvitationPage() {
  const { t, data } = usePublicPage()
  const [outcome, setOutcome] = useState<Outcome>()
  if (outcome) return <Accepted {...outcome} />
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
      invalid={(withoutToken) => (
        <>
          <Alert tone="danger" live="alert" title={t(withoutToken ? 'tokenRequired' : 'invitationInvalid')}>
            {t(withoutToken ? 'tokenRequiredText' : 'invitationInvalidText')}
          </Alert>
          <LinkButton href="/" full>
            {t('goHome')}
          </LinkButton>
        </>
      )}
    >
      {(found, link) => {
        const { invitation } = found
        const name = invitation.organizationName ?? data.companyName
        const accept = (text: Outcome['text']) => () => setOutcome({ text, name })
        if ('Join' in found)
          return (
            <found.Join
              name={name}
              email={invitation.email}
              signedInAs={found.signedInAs}
              floor={invitation.floor}
              {...link}
              onAccepted={accept('joinedText')}
            />
          )
        return (
          <AuthCard title={t('welcomeTo', { name })} intro={t('welcomeIntro')}>
            <found.Form invitation={invitation} {...link} onAccepted={accept('invitationAcceptedText')} />
          </AuthCard>
        )
      }}
    </MailedLink>
  )
}

/** The notice, and then the root page. */
function Accepted({ text, name }: Outcome) {
  const { t } = usePublicPage()
  const onwards = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    // The form is gone, and with it the place where the person was.
    onwards.current?.focus()
    const timer = setTimeout(() => location.assign('/'), noticeStays)
    return () => clearTimeout(timer)
  }, [])
  return (
    <AuthCard title={t('invitationAccepted')}>
      <Alert tone="ok" live="status">
        {t(text, { name })}
      </Alert>
      <LinkButton ref={onwards} href="/" variant="primary" full>
        {t('continue')}
      </LinkButton>
    </AuthCard>
  )
}
