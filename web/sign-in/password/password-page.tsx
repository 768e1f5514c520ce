import { Button } from '#web/ui/button.tsx'
import { AuthCard } from '#web/ui/frame/auth-frame.tsx'
import { BackLink } from '../frame/back-link.tsx'
import { FormProblem } from '../frame/form-problem.tsx'
import { usePublicPage } from '../frame/public-page.tsx'
import { PasswordStep } from './password-step.tsx'
import { useSteps } from './use-steps.ts'
import { WithoutScript } from './without-script.tsx'

/** How an address signs in: looked up, and then one step after the other on the same page. */
export function PasswordPage() {
  const { t, title, data } = usePublicPage()
  const { step, find } = useSteps(data.email)
  switch (step.name) {
    case 'finding':
    case 'password':
      return (
        <AuthCard title={title}>
          <WithoutScript />
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
    case 'own':
      return step.shown
  }
}
