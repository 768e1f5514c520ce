import { usePublicPage } from '../frame/public-page.tsx'

export function ForgotPasswordLink() {
  const { t } = usePublicPage()
  return (
    <p>
      <a href="/reset-password">{t('forgotPassword')}</a>
    </p>
  )
}
