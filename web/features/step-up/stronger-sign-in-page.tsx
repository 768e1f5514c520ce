import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { factors } from '#contract/factors/factors.ts'
import { freshQuery } from '#web/lib/requests/query.ts'
import { Alert } from '#web/ui/alert.tsx'
import { LinkButton } from '#web/ui/button.tsx'
import { Card, FormActions, FormGrid, PageHeading } from '#web/ui/frame/page.tsx'
import { ConfirmByPasskey } from './confirm-by-passkey.tsx'
import { EnterByCode } from './enter-by-code.tsx'
import { safePath } from './safe-path.ts'

const page = getRouteApi('/stronger-sign-in')

/** A service asks for two factors, and this session has one. */
export function StrongerSignInPage() {
  const { t } = useTranslation()
  const { returnTo, factor } = page.useSearch()
  const own = useQuery(freshQuery(factors.read))
  const goOn = () => location.assign(safePath(returnTo))
  const hasKey = own.data?.kinds.includes('passkey') ?? false
  const onlyKey = factor === 'passkey'
  return (
    <>
      <PageHeading title={t('stepUpTitle')} />
      <Card narrow>
        <FormGrid>
          {hasKey && <ConfirmByPasskey text={onlyKey ? t('stepUpServicePasskeyText') : null} onDone={goOn} />}
          {onlyKey && own.data && !hasKey && <AddKey />}
          {!onlyKey && (
            <EnterByCode
              text={t('stepUpServiceText')}
              hasApp={own.data?.app != null}
              hasPhoneNumber={own.data?.kinds.includes('sms') ?? false}
              onDone={goOn}
            />
          )}
        </FormGrid>
      </Card>
    </>
  )
}

/** The service takes nothing less, and the person has none. */
function AddKey() {
  const { t } = useTranslation()
  return (
    <>
      <Alert tone="warn">{t('stepUpNoPasskeyText')}</Alert>
      <FormActions>
        <LinkButton href="/account" variant="primary">
          {t('accountSettings')}
        </LinkButton>
      </FormActions>
    </>
  )
}
