import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type Service, type ServiceForm, serviceForm, serviceLabels, services } from '#contract/services/services.ts'
import { useFormAndHistory } from '#web/features/audit-events/audit-events.tsx'
import { RolesSummary } from '#web/features/service-roles/service-roles.tsx'
import { DeleteFlow } from '#web/lib/dialogs/delete-flow.tsx'
import type { CloseDialog } from '#web/lib/dialogs/dialog-route.ts'
import { useEntityDialog } from '#web/lib/dialogs/entity-dialog.ts'
import { FormDialog } from '#web/lib/dialogs/form-dialog.tsx'
import { draftFrom } from '#web/lib/forms/draft.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { readService, type ServiceWithClient } from './client/read-service.ts'
import { SignInSummary } from './client/sign-in-summary.tsx'
import { newService, ServiceFields } from './service-fields.tsx'

export const serviceDraft = {
  schema: serviceForm,
  labels: serviceLabels,
  draftOf: (service: Partial<Service>) => draftFrom(newService, service),
  nameOf: ({ name }: ServiceForm) => name,
}

/** A service. How people sign in to it has a page of its own, which the dialog leads to. */
export function EditService({ service, client, onClose }: ServiceWithClient & { onClose: CloseDialog }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const update = useSave(services.update, { inline: true })
  const { serviceId, name } = service
  const dialog = useEntityDialog({
    ...serviceDraft,
    entity: service,
    reload: () => queries.fetchQuery(readService(serviceId)),
    onClose,
    save: (input, { version }) => update.mutateAsync({ input: { ...input, serviceId, version } }),
  })
  const { reveal, tabsAround } = useFormAndHistory(dialog.form, serviceId)
  return (
    <FormDialog
      {...dialog}
      size="wide"
      title={t('editService')}
      subtitle={name}
      reveal={reveal}
      footerStart={<DeleteService service={service} onClose={onClose} />}
    >
      {tabsAround(
        name,
        <>
          <SignInSummary serviceId={serviceId} client={client} />
          <RolesSummary serviceId={serviceId} />
          <ServiceFields form={dialog.form} />
        </>,
      )}
    </FormDialog>
  )
}

function DeleteService({ service: { serviceId, name }, onClose }: { service: Service; onClose: CloseDialog }) {
  const { t } = useTranslation()
  const remove = useSave(services.remove, { inline: true })
  return (
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
  )
}
