import { useEffect, useRef, useState } from 'react'
import type { Invitation } from '#contract/invitations/invitations.ts'
import { ApiProblem } from '#web/lib/requests/api-problem.ts'
import { floorText } from '#web/lib/texts/floor-text.ts'
import type { Failure } from '#web/lib/texts/texts.ts'
import { useErrorInTitle } from '#web/lib/texts/title.ts'
import { Alert } from '#web/ui/alert.tsx'
import { Button, LinkButton } from '#web/ui/button.tsx'
import { AuthCard } from '#web/ui/frame/auth-frame.tsx'
import { declineByLink, joinByLink } from '../frame/calls.ts'
import { FormProblem, problemOf } from '../frame/form-problem.tsx'
import type { OpenLink } from '../frame/mailed-link.tsx'
import { usePublicPage } from '../frame/public-page.tsx'
import { useSubmission } from '../frame/use-submission.ts'

interface JoinOrganizationProps extends OpenLink {
  /** The organisation that invites. */
  name: string
  /** Whom the invitation is for. */
  email: string
  /** Who is signed in in this browser, if anyone. */
  signedInAs: string | undefined
  /** What the organisation asks of this account, for its owner. */
  floor: Invitation['floor']
  onAccepted: () => void
}

/** For an address that has an account: its owner signs in, and then says yes or no. */
export function JoinOrganization(props: JoinOrganizationProps) {
  const { name, email, signedInAs } = props
  const { t } = usePublicPage()
  if (signedInAs === email) return <Question {...props} />
  return (
    <AuthCard title={t('invitesYou', { name })} intro={signedInAs ? undefined : t('invitedWithAccount', { email })}>
      {signedInAs && <Alert tone="warn">{t('invitedSomeoneElse', { own: signedInAs, email })}</Alert>}
      <LinkButton href={signInAddress(email, signedInAs !== undefined)} variant="primary" full>
        {t(signedInAs ? 'switchAccount' : 'signIn')}
      </LinkButton>
      {signedInAs && (
        <LinkButton href="/" full>
          {t('goHome')}
        </LinkButton>
      )}
    </AuthCard>
  )
}

/** The sign-in of this person, which leads back here. */
function signInAddress(email: string, another: boolean) {
  const search = new URLSearchParams({ returnTo: location.pathname, email, ...(another && { prompt: 'login' }) })
  return `/login?${search}`
}

/** Accepted at once; a no is asked about first. */
function Question({ name, email, token, floor, onAccepted, onInvalid, onChanged }: JoinOrganizationProps) {
  const { t } = usePublicPage()
  const [step, go] = useState<'open' | 'declining' | 'declined'>('open')
  const [problem, setProblem] = useState<Failure>()
  const asked = floor ? floorText(floor) : undefined
  const { submitting, begin, end } = useSubmission()
  useHeadingFocus(step)
  useErrorInTitle(problem !== undefined)
  const answer = async (send: typeof joinByLink, done: () => void) => {
    if (!begin()) return
    setProblem(undefined)
    try {
      await send({ token })
      done()
    } catch (error) {
      if (error instanceof ApiProblem && error.message === 'invitationInvalid') return onInvalid()
      if (error instanceof ApiProblem && error.message === 'signInRequired') return onChanged()
      setProblem(problemOf(error))
    }
    end()
  }
  if (step === 'declined')
    return (
      <AuthCard title={t('invitationDeclined')}>
        <LinkButton href="/" variant="primary" full>
          {t('goHome')}
        </LinkButton>
      </AuthCard>
    )
  if (step === 'declining')
    return (
      <AuthCard title={t('declineTitle', { name })} intro={t('declineText')}>
        <FormProblem problem={problem} />
        <Button
          variant="danger"
          full
          loading={submitting}
          onClick={() => void answer(declineByLink, () => go('declined'))}
        >
          {t('decline')}
        </Button>
        <Button full onClick={() => go('open')}>
          {t('back')}
        </Button>
      </AuthCard>
    )
  return (
    <AuthCard title={t('invitesYou', { name })} intro={t('invitedAsYou', { email })}>
      {asked && <Alert tone={floor?.canMeet ? 'info' : 'warn'}>{t(asked)}</Alert>}
      <FormProblem problem={problem} />
      {asked !== 'guestsOnly' && (
        <Button variant="primary" full loading={submitting} onClick={() => void answer(joinByLink, onAccepted)}>
          {t('accept')}
        </Button>
      )}
      <Button full onClick={() => go('declining')}>
        {t('decline')}
      </Button>
    </AuthCard>
  )
}

/** The heading of another step takes the focus: the button that led to it is gone. */
function useHeadingFocus(step: string) {
  const shown = useRef(step)
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    document.querySelector('h1')?.focus()
  }, [step])
}
