import { LinkButton } from '#web/ui/button.tsx'
import { AuthCard } from '#web/ui/frame/auth-frame.tsx'
import { usePublicPage } from '../frame/public-page.tsx'

/** Stays until somebody acts: nobody is thrown into a sign-in that they did not ask for. */
export function SessionExpiredPage() {
  const { t, title } = usePublicPage()
  return (
    <AuthCard large title={title} intro={t('sessionExpiredText')}>
      <LinkButton href="/" variant="primary" full>
        {t('logInAgain')}
      </LinkButton>
    </AuthCard>
  )
}
