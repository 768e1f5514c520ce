import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { factors } from '#contract/factors/factors.ts'
import { freshQuery } from '#web/lib/requests/query.ts'
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
  const own = useQuery(freshQuery(factors.read))
  return (
    <>
      <PageHeading title={t('stepUpTitle')} />
      <Card narrow>
        <EnterByCode
          text={t('stepUpServiceText')}
          hasApp={own.data?.app != null}
          hasPhoneNumber={me.phoneNumber !== null}
          onDone={() => location.assign(safePath(returnTo))}
        />
      </Card>
    </>
  )
}
