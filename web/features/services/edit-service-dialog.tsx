import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type Service, type ServiceForm, serviceForm, services } from '#contract/services.ts'
import { ChangedByOthers } from '#web/lib/changed-by-others.tsx'
import { DeleteFlow } from '#web/lib/delete-flow.tsx'
import { type CloseDialog, useCloseDialog } from '#web/lib/dialog-route.ts'
import { useEntityForm } from '#web/lib/entity-form.ts'
import { FormDialog } from '#web/lib/form-dialog.tsx'
import { LeaveGuard } from '#web/lib/leave-guard.tsx'
import { LoadingDialog } from '#web/lib/loading-dialog.tsx'
import { query } from '#web/lib/query.ts'
import { useSave } from '#web/lib/use-save.ts'
import { toasts } from '#web/ui/toast-store.ts'
import { ServiceFields } from './service-fields.tsx'

const route = getRouteApi('/services/$serviceId')
// Whoever opens it to change it wants to see it as it is now.
const read = (id: string) => ({ ...query(services.read, { params: { id } }), staleTime: 0 })
const draftOf = ({ name, url }: Service): ServiceForm => ({ name, url })

export function EditServiceDialog() {
  const { t } = useTranslation()
  const { serviceId } = route.useParams()
  const close = useCloseDialog('/services')
  return (
    <LoadingDialog query={useQuery(read(serviceId))} size="small" title={t('editService')} onClose={close}>
      {(service) => <EditService key={serviceId} service={service} onClose={close} />}
    </LoadingDialog>
  )
}

interface EditServiceProps {
  service: Service
  onClose: CloseDialog
}

function EditService({ service, onClose }: EditServiceProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const update = useSave(services.update, { inline: true })
  const form = useEntityForm<ServiceForm, ServiceForm, Service>({
    schema: serviceForm,
    entity: service,
    draftOf,
    reload: () => client.fetchQuery(read(service.serviceId)),
    save: async (input, { serviceId, version }) => {
      await update.mutateAsync({ input: { ...input, serviceId, version } })
      toasts.show({ tone: 'success', title: t('updated'), content: input.name })
      onClose({ saved: true })
    },
  })
  const describe = (name: string, value: unknown) => ({
    field: t(name === 'url' ? 'webAddress' : 'name'),
    text: String(value),
  })
  return (
    <FormDialog
      form={form}
      size="small"
      title={t('editService')}
      subtitle={service.name}
      onClose={onClose}
      footerStart={<DeleteService service={service} onDeleted={() => onClose({ saved: true })} />}
      saveLabel={t('save')}
      notice={<ChangedByOthers form={form} describe={describe} />}
    >
      <ServiceFields form={form} />
      <LeaveGuard dirty={form.dirty} />
    </FormDialog>
  )
}

function DeleteService({ service, onDeleted }: { service: Service; onDeleted: () => void }) {
  const { t } = useTranslation()
  const { serviceId: id, name } = service
  const { mutateAsync } = useSave(services.remove, { inline: true })
  return (
    <DeleteFlow
      name={name}
      text={t('deleteServiceText')}
      inUse={{
        message: 'serviceInUse',
        title: t('deleteServiceInUseTitle', { name }),
        text: t('deleteServiceInUseText'),
      }}
      remove={(force) => mutateAsync({ params: { id }, query: force ? { force: 'true' } : {} })}
      onDeleted={onDeleted}
    />
  )
}
