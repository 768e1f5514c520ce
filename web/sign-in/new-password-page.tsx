import { Alert } from '#web/ui/alert.tsx'
import { LinkButton } from '#web/ui/button.tsx'
import { findPasswordReset } from './calls.ts'
import { loadPart } from './load-part.ts'
import { MailedLink, SkeletonField } from './mailed-link.tsx'
import { usePublicPage } from './public-page.tsx'

async function find(token: string) {
  const [{ email }, { NewPasswordForm }] = await Promise.all([
    findPasswordReset(token),
    loadPart(import('./new-password-form.tsx')),
  ])
  return { email, Form: NewPasswordForm }
}

/** A new password by a link. Whoever comes with one that does not work learns nothing but how to get another. */
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
