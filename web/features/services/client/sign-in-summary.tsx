import { createLink } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Alert } from '#web/ui/alert.tsx'
import { LinkButton } from '#web/ui/button.tsx'
import type { ReadClient } from './read-service.ts'
import { useSignInState } from './sign-in-state.tsx'

const SignInLink = createLink(LinkButton)

/** In the dialog of a service: how its sign-in stands, and the way to its page. */
export function SignInSummary({ serviceId, client }: { serviceId: string; client: ReadClient }) {
  const { t } = useTranslation()
  const { tone, title, text } = useSignInState(client)
  return (
    <Alert
      tone={tone}
      title={title}
      action={
        <SignInLink to="/services/$serviceId/sign-in" params={{ serviceId }} search={{}} size="small">
          {t('openServiceSignIn')}
        </SignInLink>
      }
    >
      {text}
    </Alert>
  )
}
