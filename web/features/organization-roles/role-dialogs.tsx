import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Controller } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import {
  type OrganizationRoleForm,
  type OwnRole,
  organizationRoleForm,
  organizationRoleLabels,
  organizationRoles,
} from '#contract/organization-roles/organization-roles.ts'
import { type RolePermission, rolePermissions, withImplied } from '#contract/organization-roles/role-permissions.ts'
import { DeleteFlow } from '#web/lib/dialogs/delete-flow.tsx'
import { type CloseDialog, useCloseDialog } from '#web/lib/dialogs/dialog-route.ts'
import { useEntityDialog } from '#web/lib/dialogs/entity-dialog.ts'
import { FormDialog } from '#web/lib/dialogs/form-dialog.tsx'
import { LoadingDialog } from '#web/lib/dialogs/loading-dialog.tsx'
import { draftFrom } from '#web/lib/forms/draft.ts'
import type { FormOf } from '#web/lib/forms/form.ts'
import { freshQuery } from '#web/lib/requests/query.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { useHolds } from '#web/lib/session/can.tsx'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { FieldGroup } from '#web/ui/fields/field-group.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import { useRoleWords } from './role-words.ts'

const creating = getRouteApi('/roles/$organizationId/create')
const editing = getRouteApi('/roles/$organizationId/$roleId')
const page = '/roles/$organizationId'
interface Place {
  organizationId: string
  roleId: string
}
const read = (params: Place) => freshQuery(organizationRoles.read, { params })

const draft = {
  schema: organizationRoleForm,
  labels: organizationRoleLabels,
  draftOf: (role: Partial<OwnRole>) => draftFrom({ name: '', permissions: [] as RolePermission[] }, role),
  nameOf: ({ name }: OrganizationRoleForm) => name,
}

export function CreateRoleDialog() {
  const { t } = useTranslation()
  const { organizationId } = creating.useParams()
  const onClose = useCloseDialog(page)
  const create = useSave(organizationRoles.create, { inline: true })
  const save = (input: OrganizationRoleForm) => create.mutateAsync({ params: { organizationId }, input })
  const dialog = useEntityDialog({ ...draft, onClose, save })
  return (
    <FormDialog {...dialog} size="small" title={t('createOrganizationRole')}>
      <RoleFields form={dialog.form} organizationId={organizationId} />
    </FormDialog>
  )
}

export function EditRoleDialog() {
  const { t } = useTranslation()
  const place = editing.useParams()
  const onClose = useCloseDialog(page)
  return (
    <LoadingDialog query={useQuery(read(place))} size="small" title={t('editOrganizationRole')} onClose={onClose}>
      {(role) => <EditRole key={role.roleId} role={role} place={place} onClose={onClose} />}
    </LoadingDialog>
  )
}

function EditRole({ role, place, onClose }: { role: OwnRole; place: Place; onClose: CloseDialog }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const update = useSave(organizationRoles.update, { inline: true })
  const remove = useSave(organizationRoles.remove, { inline: true })
  const dialog = useEntityDialog({
    ...draft,
    entity: role,
    reload: () => client.fetchQuery(read(place)),
    onClose,
    save: (input, { version }) => update.mutateAsync({ params: place, input: { ...input, version } }),
  })
  return (
    <FormDialog
      {...dialog}
      size="small"
      title={t('editOrganizationRole')}
      subtitle={role.name}
      footerStart={
        <DeleteFlow
          name={role.name}
          text={t('deleteOrganizationRoleText')}
          remove={() => remove.mutateAsync({ params: place })}
          onClose={onClose}
        />
      }
    >
      <RoleFields form={dialog.form} organizationId={place.organizationId} />
    </FormDialog>
  )
}

interface RoleFieldsProps {
  form: FormOf<typeof organizationRoleForm>
  organizationId: string
}

/** The name, and what the role allows in words. What another choice needs is ticked with it. */
function RoleFields({ form, organizationId }: RoleFieldsProps) {
  const { t } = useTranslation()
  const holds = useHolds(organizationId)
  const { wordOf } = useRoleWords()
  const { id, error } = form.field('permissions')
  return (
    <>
      <Field {...form.field('name')}>
        <TextInput autoComplete="off" {...form.register('name')} />
      </Field>
      <Controller
        control={form.form.control}
        name="permissions"
        render={({ field: { value, onChange } }) => (
          <FieldGroup legend={t('rolePermissions')} hint={error}>
            {rolePermissions.map((permission, index) => (
              <Checkbox
                key={permission}
                id={index === 0 ? id : undefined}
                label={wordOf(permission)}
                hint={holds([permission]) ? undefined : t('permissionBeyondOwn')}
                disabled={!holds([permission])}
                checked={value.includes(permission)}
                onChange={({ target: { checked } }) =>
                  onChange(
                    checked
                      ? withImplied([...value, permission])
                      : value.filter((one) => !withImplied([one]).includes(permission)),
                  )
                }
              />
            ))}
          </FieldGroup>
        )}
      />
    </>
  )
}
