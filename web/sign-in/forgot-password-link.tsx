import { publicPages } from '#contract/sign-in-page.ts'
import { usePublicPage } from './public-page.tsx'

/** Shows as soon as there is a page to go to. */
export function ForgotPasswordLink() {
  const { t } = usePublicPage()
  if (!publicPages.some((page: string) => page === 'reset-password')) return null
  return (
    <p>
      <a href="/reset-password">{t('forgotPassword')}</a>
    </p>
  )
}
