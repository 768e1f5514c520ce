import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import {
  type DeclaredRole,
  type ServiceRoleForm,
  serviceRoleForm,
  serviceRoleLabels,
  serviceRoles,
} from '#contract/service-roles/service-roles.ts'
import { DeleteFlow } from '#web/lib/dialogs/delete-flow.tsx'
import { type CloseDialog, useCloseDialog } from '#web/lib/dialogs/dialog-route.ts'
import { useEntityDialog } from '#web/lib/dialogs/entity-dialog.ts'
import { FormDialog } from '#web/lib/dialogs/form-dialog.tsx'
import { LoadingDialog } from '#web/lib/dialogs/loading-dialog.tsx'
import { draftFrom } from '#web/lib/forms/draft.ts'
import { freshQuery } from '#web/lib/requests/query.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { RoleFields } from './role-fields.tsx'

const creating = getRouteApi('/services/$serviceId/roles/create')
const editing = getRouteApi('/services/$serviceId/roles/$roleId')
const read = (id: string) => freshQuery(serviceRoles.read, { params: { id } })

const newRole = (serviceId: string) => ({
  serviceId,
  key: '',
  ...{ nameSv: '', nameEn: '', nameFi: '', nameFr: '' },
  ...{ descriptionSv: '', descriptionEn: '', descriptionFi: '', descriptionFr: '' },
  needsTwoFactors: false,
  maxPeople: null as number | null,
  excludes: [] as string[],
})
const draftOf = (serviceId: string) => ({
  schema: serviceRoleForm,
  labels: { ...serviceRoleLabels, serviceId: 'service' as const },
  draftOf: (role: Partial<DeclaredRole>) => draftFrom(newRole(serviceId), role),
  nameOf: ({ nameSv }: ServiceRoleForm) => nameSv,
})

const page = '/services/$serviceId/roles'

export function CreateRoleDialog() {
  const { t } = useTranslation()
  const { serviceId } = creating.useParams()
  const onClose = useCloseDialog(page)
  const create = useSave(serviceRoles.create, { inline: true })
  const dialog = useEntityDialog({ ...draftOf(serviceId), onClose, save: (input) => create.mutateAsync({ input }) })
  return (
    <FormDialog {...dialog} size="small" title={t('createServiceRole')}>
      <RoleFields form={dialog.form} serviceId={serviceId} />
    </FormDialog>
  )
}

export function EditRoleDialog() {
  const { t } = useTranslation()
  const { roleId } = editing.useParams()
  const onClose = useCloseDialog(page)
  return (
    <LoadingDialog query={useQuery(read(roleId))} size="small" title={t('editServiceRole')} onClose={onClose}>
      {(role) => <EditRole key={roleId} role={role} onClose={onClose} />}
    </LoadingDialog>
  )
}

function EditRole({ role, onClose }: { role: DeclaredRole; onClose: CloseDialog }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const update = useSave(serviceRoles.update, { inline: true })
  const remove = useSave(serviceRoles.remove, { inline: true })
  const { roleId, serviceId, key, nameSv } = role
  const dialog = useEntityDialog({
    ...draftOf(serviceId),
    entity: role,
    reload: () => client.fetchQuery(read(roleId)),
    onClose,
    save: ({ serviceId: _, key: __, ...input }, { version }) =>
      update.mutateAsync({ input: { ...input, roleId, version } }),
  })
  return (
    <FormDialog
      {...dialog}
      size="small"
      title={t('editServiceRole')}
      subtitle={nameSv}
      footerStart={
        <DeleteFlow
          name={nameSv}
          text={t('deleteServiceRoleText')}
          remove={() => remove.mutateAsync({ params: { id: roleId } })}
          onClose={onClose}
        />
      }
    >
      <RoleFields form={dialog.form} serviceId={serviceId} roleKey={key} />
    </FormDialog>
  )
}
