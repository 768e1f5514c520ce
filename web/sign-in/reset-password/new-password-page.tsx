import { Alert } from '#web/ui/alert.tsx'
import { LinkButton } from '#web/ui/button.tsx'
import { findPasswordReset } from '../frame/calls.ts'
import { loadPart } from '../frame/load-part.ts'
import { MailedLink, SkeletonField } from '../frame/mailed-link.tsx'
import { usePublicPage } from '../frame/public-page.tsx'

async function find(token: string) {
  const [{ email }, { NewPasswordForm }] = await Promise.all([
    findPasswordReset(token),
    loadPart(import('./new-password-form.tsx')),
  ])
  return { email, Form: NewPasswordForm }
}

/** A new password by a link. A link that does not work reveals nothing; the page says how to get another. */
export function NewPasswordPage() {
  const { t } = usePublicPage()
  return (
    <MailedLink
      find={find}
      findingLabel={t('checkingLink')}
      skeleton={['email', 'password', 'confirmation'].map((field) => <SkeletonField key={field} />)}
      invalid={(withoutToken) => (
        <>
          <Alert tone="danger" live="alert" title={t(withoutToken ? 'tokenRequired' : 'resetLinkInvalid')}>
            {t(withoutToken ? 'tokenRequiredText' : 'resetLinkInvalidText')}
          </Alert>
          <LinkButton href="/reset-password" variant="primary" full>
            {t('askForNewLink')}
          </LinkButton>
        </>
      )}
    >
      {({ email, Form }, link) => <Form email={email} {...link} />}
    </MailedLink>
  )
}
