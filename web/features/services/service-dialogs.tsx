import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { services } from '#contract/services/services.ts'
import { useCloseDialog } from '#web/lib/dialogs/dialog-route.ts'
import { useEntityDialog } from '#web/lib/dialogs/entity-dialog.ts'
import { FormDialog } from '#web/lib/dialogs/form-dialog.tsx'
import { LoadingDialog } from '#web/lib/dialogs/loading-dialog.tsx'
import { useSave } from '#web/lib/requests/use-save.ts'
import { readClient } from './client/use-client-form.ts'
import { EditService, readService, serviceDraft } from './edit-service.tsx'
import { ServiceFields } from './service-fields.tsx'

const route = getRouteApi('/services/$serviceId')

export function CreateServiceDialog() {
  const { t } = useTranslation()
  const onClose = useCloseDialog('/services')
  const create = useSave(services.create, { inline: true })
  const dialog = useEntityDialog({ ...serviceDraft, onClose, save: (input) => create.mutateAsync({ input }) })
  return (
    <FormDialog {...dialog} size="small" title={t('createService')}>
      <ServiceFields form={dialog.form} />
    </FormDialog>
  )
}

export function EditServiceDialog() {
  const { t } = useTranslation()
  const { serviceId } = route.useParams()
  const onClose = useCloseDialog('/services')
  return (
    <LoadingDialog query={useServiceWithClient(serviceId)} size="full" title={t('editService')} onClose={onClose}>
      {(both) => <EditService key={serviceId} {...both} onClose={onClose} />}
    </LoadingDialog>
  )
}

/** Reads a service and its client, as one query. */
function useServiceWithClient(serviceId: string) {
  const service = useQuery(readService(serviceId))
  const client = useQuery(readClient(serviceId))
  const data = useMemo(
    () => (service.data && client.data ? { service: service.data, client: client.data } : undefined),
    [service.data, client.data],
  )
  return {
    data,
    error: service.error ?? client.error,
    refetch: () => Promise.all([service.refetch(), client.refetch()]),
  }
}
