import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type Service, type ServiceForm, serviceForm, serviceLabels, services } from '#contract/services.ts'
import { useFormAndHistory } from '#web/features/audit-events/audit-events.tsx'
import { DeleteFlow } from '#web/lib/delete-flow.tsx'
import { type CloseDialog, useCloseDialog } from '#web/lib/dialog-route.ts'
import { draftFrom } from '#web/lib/draft.ts'
import { useEntityDialog } from '#web/lib/entity-dialog.ts'
import { FormDialog } from '#web/lib/form-dialog.tsx'
import { LoadingDialog } from '#web/lib/loading-dialog.tsx'
import { freshQuery } from '#web/lib/query.ts'
import { useSave } from '#web/lib/use-save.ts'
import { newService, ServiceFields } from './service-fields.tsx'

const route = getRouteApi('/services/$serviceId')
const read = (id: string) => freshQuery(services.read, { params: { id } })

const draft = {
  schema: serviceForm,
  labels: serviceLabels,
  draftOf: (service: Partial<Service>) => draftFrom(newService, service),
  nameOf: ({ name }: ServiceForm) => name,
}

export function CreateServiceDialog() {
  const { t } = useTranslation()
  const onClose = useCloseDialog('/services')
  const create = useSave(services.create, { inline: true })
  const dialog = useEntityDialog({ ...draft, onClose, save: (input) => create.mutateAsync({ input }) })
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
    <LoadingDialog query={useQuery(read(serviceId))} size="small" title={t('editService')} onClose={onClose}>
      {(service) => <EditService key={serviceId} service={service} onClose={onClose} />}
    </LoadingDialog>
  )
}

function EditService({ service, onClose }: { service: Service; onClose: CloseDialog }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const update = useSave(services.update, { inline: true })
  const remove = useSave(services.remove, { inline: true })
  const { serviceId, name } = service
  const dialog = useEntityDialog({
    ...draft,
    entity: service,
    reload: () => client.fetchQuery(read(serviceId)),
    onClose,
    save: (input, { version }) => update.mutateAsync({ input: { ...input, serviceId, version } }),
  })
  const { reveal, tabsAround } = useFormAndHistory(dialog.form, serviceId)
  return (
    <FormDialog
      {...dialog}
      size="small"
      title={t('editService')}
      subtitle={name}
      reveal={reveal}
      footerStart={
        <DeleteFlow
          name={name}
          text={t('deleteServiceText')}
          inUse={{
            message: 'serviceInUse',
            title: t('deleteServiceInUseTitle', { name }),
            text: t('deleteServiceInUseText'),
          }}
          remove={(query) => remove.mutateAsync({ params: { id: serviceId }, query })}
          onClose={onClose}
        />
      }
    >
      {tabsAround(name, <ServiceFields form={dialog.form} />)}
    </FormDialog>
  )
}
