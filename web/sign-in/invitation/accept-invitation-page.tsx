import { useEffect, useRef, useState } from 'react'
import type { Invitation } from '#contract/invitations/invitations.ts'
import { Alert } from '#web/ui/alert.tsx'
import { LinkButton } from '#web/ui/button.tsx'
import { AuthCard } from '#web/ui/frame/auth-frame.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { findInvitation, findSignedIn } from '../frame/calls.ts'
import { loadPart } from '../frame/load-part.ts'
import { MailedLink, SkeletonField } from '../frame/mailed-link.tsx'
import { usePublicPage } from '../frame/public-page.tsx'

/** How long the notice stands before the next page comes; ms. Someone who does not want to wait has a button. */
const noticeStays = 4000

/** What the link asks for: a form for a new account, or a yes or no from someone who has one. */
async function find(token: string) {
  const invitation = await findInvitation(token)
  const [signedIn, part] = await Promise.all([findSignedIn(), loadPage(invitation)])
  return { invitation, signedInAs: signedIn?.email, ...part }
}

const loadPage = async ({ account }: Invitation) =>
  account === 'new'
    ? { Form: (await loadPart(import('./accept-invitation-form.tsx'))).AcceptInvitationForm }
    : { Join: (await loadPart(import('./join-organization.tsx'))).JoinOrganization }

/** What the notice says once the invitation is accepted. */
interface Outcome {
  text: 'invitationAcceptedText' | 'joinedText'
  name: string
  /** Where the person goes. */
  onwards: string
}

/** Signs in the person who has just accepted, by that or by their own method, and leads to the root page. */
const enterAddress = (email: string) => `/login?${new URLSearchParams({ email, method: 'invitation' })}`

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
        if ('Join' in found)
          return (
            <found.Join
              name={name}
              email={invitation.email}
              signedInAs={found.signedInAs}
              floor={invitation.floor}
              {...link}
              onAccepted={() => setOutcome({ text: 'joinedText', name, onwards: '/' })}
            />
          )
        return (
          <AuthCard title={t('welcomeTo', { name })} intro={t('welcomeIntro')}>
            <found.Form
              invitation={invitation}
              signedInAs={found.signedInAs}
              {...link}
              onAccepted={() =>
                setOutcome({ text: 'invitationAcceptedText', name, onwards: enterAddress(invitation.email) })
              }
            />
          </AuthCard>
        )
      }}
    </MailedLink>
  )
}

/** The notice, and then the way in. */
function Accepted({ text, name, onwards: address }: Outcome) {
  const { t } = usePublicPage()
  const onwards = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    // The form is gone, and with it the place where the person was.
    onwards.current?.focus()
    const timer = setTimeout(() => location.assign(address), noticeStays)
    return () => clearTimeout(timer)
  }, [address])
  return (
    <AuthCard title={t('invitationAccepted')}>
      <Alert tone="ok" live="status">
        {t(text, { name })}
      </Alert>
      <LinkButton ref={onwards} href={address} variant="primary" full>
        {t('continue')}
      </LinkButton>
    </AuthCard>
  )
}
