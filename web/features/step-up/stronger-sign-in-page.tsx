import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useSignedIn } from '#web/lib/session/signed-in.tsx'
import { Card, PageHeading } from '#web/ui/frame/page.tsx'
import { EnterByCode } from './enter-by-code.tsx'
import { safePath } from './safe-path.ts'

const page = getRouteApi('/stronger-sign-in')

/** A service asks for two factors, and this session has one. */
export function StrongerSignInPage() {
  const { t } = useTranslation()
  const { returnTo } = page.useSearch()
  const { me } = useSignedIn()
  return (
    <>
      <PageHeading title={t('stepUpTitle')} />
      <Card narrow>
        <EnterByCode
          text={t('stepUpServiceText')}
          hasPhoneNumber={me.phoneNumber !== null}
          onDone={() => location.assign(safePath(returnTo))}
        />
      </Card>
    </>
  )
}
