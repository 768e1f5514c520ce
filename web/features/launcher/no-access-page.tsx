import { useQuery } from '@tanstack/react-query'
import { createLink, getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { launcher } from '#contract/launcher/launcher.ts'
import { ApiProblem } from '#web/lib/requests/api-problem.ts'
import { LoadingFailure, useFailure } from '#web/lib/requests/loaded.tsx'
import { query } from '#web/lib/requests/query.ts'
import { useCurrentOrganization, useSignedIn } from '#web/lib/session/signed-in.tsx'
import { LinkButton } from '#web/ui/button.tsx'
import { MessagePage } from '#web/ui/state.tsx'
import { RequestButton } from './request-button.tsx'

const HomeLink = createLink(LinkButton)
const page = getRouteApi('/no-access/$serviceId')

/** A link led to a service that this person lacks. Its name shows only where the own organisation has it. */
export function NoAccessPage() {
  const { t } = useTranslation()
  const { serviceId } = page.useParams()
  const current = useCurrentOrganization().id ?? ''
  const { organizationId = current } = page.useSearch()
  const { organizations } = useSignedIn()
  const missing = useQuery({
    ...query(launcher.missingService, { params: { id: organizationId, serviceId } }),
    enabled: organizationId !== '',
  })
  const gone = missing.error instanceof ApiProblem && missing.error.status === 404
  const failure = useFailure({ error: gone ? null : missing.error, refetch: missing.refetch })
  if (missing.isLoading) return null
  if (failure) return <LoadingFailure {...failure} />
  const home = (
    <HomeLink to="/" variant="primary">
      {t('goHome')}
    </HomeLink>
  )
  if (!missing.data)
    return (
      <MessagePage title={t('noSuchService')} action={home}>
        {t('noSuchServiceText')}
      </MessagePage>
    )
  const { name, requestable, request } = missing.data
  const organization = organizations?.find((own) => own.organizationId === organizationId)?.name ?? ''
  return (
    <MessagePage
      title={t('noAccessToService', { name })}
      action={
        requestable ? <RequestButton service={missing.data} organizationId={organizationId} variant="primary" /> : home
      }
    >
      {request?.refusedBecause
        ? t('accessRefused', { reason: request.refusedBecause })
        : t('noAccessToServiceText', { organization })}
    </MessagePage>
  )
}
