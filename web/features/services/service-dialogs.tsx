import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useCloseDialog } from '#web/lib/dialogs/dialog-route.ts'
import { LoadingDialog } from '#web/lib/dialogs/loading-dialog.tsx'
import { useServiceWithClient } from './client/read-service.ts'
import { EditService } from './edit-service.tsx'

const route = getRouteApi('/services/$serviceId')

export function EditServiceDialog() {
  const { t } = useTranslation()
  const { serviceId } = route.useParams()
  const onClose = useCloseDialog('/services')
  return (
    <LoadingDialog query={useServiceWithClient(serviceId)} size="wide" title={t('editService')} onClose={onClose}>
      {(both) => <EditService key={serviceId} {...both} onClose={onClose} />}
    </LoadingDialog>
  )
}
