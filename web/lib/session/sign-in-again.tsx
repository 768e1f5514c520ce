import { useTranslation } from 'react-i18next'
import { ApiProblem } from '#web/lib/requests/api-problem.ts'
import { Alert } from '#web/ui/alert.tsx'
import { LinkButton } from '#web/ui/button.tsx'
import { useSignedIn } from './signed-in.tsx'

/** Whether a call was refused because the sign-in is not recent enough. */
export const asksForSignIn = (error: Error | null): boolean =>
  error instanceof ApiProblem && error.message === 'reauthenticationRequired'

/** Leads to the sign-in and back to this page. */
export function SignInAgain({ title }: { title: string }) {
  const { t } = useTranslation()
  const { me } = useSignedIn()
  const again = new URLSearchParams({ returnTo: location.pathname, email: me.email, prompt: 'login' })
  return (
    <Alert
      tone="info"
      live="status"
      title={title}
      action={<LinkButton href={`/login?${again}`}>{t('signInAgain')}</LinkButton>}
    />
  )
}
