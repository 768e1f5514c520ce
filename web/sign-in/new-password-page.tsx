import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { Alert } from '#web/ui/alert.tsx'
import { AuthCard } from '#web/ui/auth-frame.tsx'
import { Button, LinkButton } from '#web/ui/button.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { CallFailed, findPasswordReset } from './calls.ts'
import { FormProblem, type FormProblemState, problemOf } from './form-problem.tsx'
import { usePublicPage, useWindowTitle } from './public-page.tsx'

type FormComponent = typeof import('./new-password-form.tsx').NewPasswordForm

type State =
  | { name: 'finding' }
  | { name: 'findingFailed'; problem: FormProblemState }
  /** Used, expired, replaced, made up: whoever comes with it learns nothing but how to get another. */
  | { name: 'invalid' }
  | { name: 'tokenRequired' }
  | { name: 'open'; email: string; token: string; Form: FormComponent }

const tokenInAddress = () => location.pathname.split('/')[2] ?? ''

/** A part of its own: none of the other pages of this entry need it. */
const loadForm = async (): Promise<FormComponent> => {
  const part = await import('./new-password-form.tsx').catch(() => {
    throw new CallFailed('networkError')
  })
  return part.NewPasswordForm
}

/** Whom the link is for is asked by the script: opening the page, as mail scanners do, uses nothing up. */
export function NewPasswordPage() {
  const { t, title } = usePublicPage()
  const [state, go] = useState<State>({ name: 'finding' })
  const find = useCallback(async () => {
    go({ name: 'finding' })
    const token = tokenInAddress()
    if (!token) return go({ name: 'tokenRequired' })
    try {
      const [{ email }, Form] = await Promise.all([findPasswordReset(token), loadForm()])
      go({ name: 'open', email, token, Form })
    } catch (error) {
      const isAnswer = error instanceof CallFailed && ['resetLinkInvalid', 'notFound'].includes(error.message)
      go(isAnswer ? { name: 'invalid' } : { name: 'findingFailed', problem: problemOf(error) })
    }
  }, [])
  useEffect(() => void find(), [find])

  switch (state.name) {
    case 'finding':
      return (
        <AuthCard title={title}>
          <SkeletonGroup label={t('checkingLink')}>
            {['email', 'password', 'confirmation'].map((field) => (
              <SkeletonField key={field} />
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
    case 'tokenRequired': {
      const broken = state.name === 'tokenRequired'
      return (
        <Message>
          <Alert tone="danger" live="alert" title={t(broken ? 'tokenRequired' : 'resetLinkInvalid')}>
            {t(broken ? 'tokenRequiredText' : 'resetLinkInvalidText')}
          </Alert>
          <LinkButton href="/reset-password" variant="primary" full>
            {t('askForNewLink')}
          </LinkButton>
        </Message>
      )
    }
    case 'open': {
      const { email, token, Form } = state
      return <Form email={email} token={token} onInvalid={() => go({ name: 'invalid' })} />
    }
  }
}

const SkeletonField = () => (
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
