import { Alert } from '#web/ui/alert.tsx'
import { AuthCard } from '#web/ui/auth-frame.tsx'
import { Button } from '#web/ui/button.tsx'
import { BackLink } from './back-link.tsx'
import { FormProblem } from './form-problem.tsx'
import { PasswordStep } from './password-step.tsx'
import { usePublicPage } from './public-page.tsx'
import { useSteps } from './use-steps.ts'

/** How an address signs in: looked up, and then one step after the other on the same page. */
export function PasswordPage() {
  const { t, title, data } = usePublicPage()
  const { step, find } = useSteps(data.email)
  switch (step.name) {
    case 'finding':
    case 'password':
      return (
        <AuthCard title={title}>
          <PasswordStep
            ready={step.name === 'password'}
            secondFactor={step.name === 'password' ? step.secondFactor : undefined}
          />
        </AuthCard>
      )
    case 'findingFailed':
      return (
        <AuthCard title={title}>
          <FormProblem problem={step.problem} />
          <Button variant="primary" full onClick={find}>
            {t('tryAgain')}
          </Button>
          <BackLink />
        </AuthCard>
      )
    case 'missing':
      return (
        <AuthCard title={title}>
          <Alert tone="info" live="status">
            {t('signInMethodMissing')}
          </Alert>
          <BackLink />
        </AuthCard>
      )
  }
}
