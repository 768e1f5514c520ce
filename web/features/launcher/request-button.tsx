import Clock from 'lucide-react/icons/clock'
import { useTranslation } from 'react-i18next'
import type { MissingService } from '#contract/launcher/launcher.ts'
import { Button, type ButtonLook } from '#web/ui/button.tsx'
import { useRequest } from './use-request.ts'

interface RequestButtonProps extends ButtonLook {
  service: Pick<MissingService, 'serviceId' | 'name' | 'request'>
  organizationId: string
}

/** Requests access. It stays where it is while an answer is awaited, and so does the focus on it. */
export function RequestButton({ service, organizationId, ...look }: RequestButtonProps) {
  const { t } = useTranslation()
  const { requesting, request } = useRequest(organizationId)
  const { serviceId, name } = service
  const waiting = service.request?.refusedBecause === null
  if (waiting)
    return (
      <Button {...look} icon={Clock} aria-disabled={true}>
        {t('accessRequested')}
      </Button>
    )
  return (
    <Button
      {...look}
      aria-label={service.request ? undefined : t('requestAccessTo', { name })}
      loading={requesting === serviceId}
      onClick={() => request(serviceId, name)}
    >
      {t(service.request ? 'requestAgain' : 'requestAccess')}
    </Button>
  )
}
