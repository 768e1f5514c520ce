import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import type { Invitation } from '#contract/invitations.ts'
import { Alert } from '#web/ui/alert.tsx'
import { AuthCard } from '#web/ui/auth-frame.tsx'
import { Button, LinkButton } from '#web/ui/button.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { CallFailed, findInvitation } from './calls.ts'
import { FormProblem, type FormProblemState, problemOf } from './form-problem.tsx'
import { usePublicPage, useWindowTitle } from './public-page.tsx'

type FormComponent = typeof import('./accept-invitation-form.tsx').AcceptInvitationForm

type State =
  | { name: 'finding' }
  | { name: 'findingFailed'; problem: FormProblemState }
  | { name: 'invalid' }
  | { name: 'open'; invitation: Invitation; token: string; Form: FormComponent }
  | { name: 'accepted' }

/** How long the notice stands before the root page comes; ms. Whoever does not want to wait has a button. */
const noticeStays = 4000

const tokenInAddress = () => location.pathname.split('/')[2] ?? ''

/** A part of its own: none of the other pages of this entry need it. */
const loadForm = async (): Promise<FormComponent> => {
  const part = await import('./accept-invitation-form.tsx').catch(() => {
    throw new CallFailed('networkError')
  })
  return part.AcceptInvitationForm
}

/** What the link is for is asked by the script: opening the page, as mail scanners do, uses nothing up. */
export function AcceptInvitationPage() {
  const { t, title, data } = usePublicPage()
  const [state, go] = useState<State>({ name: 'finding' })
  const find = useCallback(async () => {
    go({ name: 'finding' })
    const token = tokenInAddress()
    try {
      const [invitation, Form] = await Promise.all([findInvitation(token), loadForm()])
      go({ name: 'open', invitation, token, Form })
    } catch (error) {
      // Validation refuses what no token ever looks like.
      const isAnswer = error instanceof CallFailed && ['invitationInvalid', 'validationFailed'].includes(error.message)
      go(isAnswer ? { name: 'invalid' } : { name: 'findingFailed', problem: problemOf(error) })
    }
  }, [])
  useEffect(() => void find(), [find])

  switch (state.name) {
    case 'finding':
      return (
        <AuthCard title={title}>
          <SkeletonGroup label={t('findingInvitation')}>
            <Skeleton width="half" />
            {['email', 'firstName', 'lastName', 'proof'].map((field) => (
              <Stand key={field} />
            ))}
            <Skeleton shape="control" />
          </SkeletonGroup>
        </AuthCard>
      )
    case 'findingFailed':
      return (
        <Message>
          <FormProblem problem={state.problem} />
          <Button variant="primary" full onClick={() => void find()}>
            {t('tryAgain')}
          </Button>
        </Message>
      )
    case 'invalid':
      return (
        <Message>
          <Alert tone="danger" live="alert" title={t('invitationInvalid')}>
            {t('invitationInvalidText')}
          </Alert>
          <LinkButton href="/" full>
            {t('goHome')}
          </LinkButton>
        </Message>
      )
    case 'open': {
      const { invitation, token, Form } = state
      const name = invitation.organizationName ?? data.companyName
      return (
        <AuthCard title={t('welcomeTo', { name })} intro={t('welcomeIntro')}>
          <Form
            invitation={invitation}
            token={token}
            onAccepted={() => go({ name: 'accepted' })}
            onInvalid={() => go({ name: 'invalid' })}
          />
        </AuthCard>
      )
    }
    case 'accepted':
      return <Accepted />
  }
}

const Stand = () => (
  <>
    <Skeleton width="short" />
    <Skeleton shape="control" />
  </>
)

function Message({ children }: { children: ReactNode }) {
  const { title } = usePublicPage()
  useWindowTitle(true)
  return <AuthCard title={title}>{children}</AuthCard>
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
