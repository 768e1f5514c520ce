import { useTranslation } from 'react-i18next'
import { loginMethods } from '#contract/login-methods.ts'
import { isLocal } from '#contract/users/user-forms.ts'
import { useSignedIn } from '#web/lib/session/signed-in.tsx'
import { Alert } from '#web/ui/alert.tsx'
import { PasswordForm } from './password-form.tsx'

/** Only users with a local sign-in method have a password here; others see where their password is managed. */
export function PasswordTab() {
  const { t } = useTranslation()
  const { me } = useSignedIn()
  if (!isLocal(me.loginMethod)) return <Alert tone="info">{t(loginMethods[me.loginMethod].noPassword.text)}</Alert>
  return (
    <>
      {me.passwordMustChange && <Alert tone="warn">{t('passwordMustChangeText')}</Alert>}
      <PasswordForm />
    </>
  )
}
