import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { Controller } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { MessageKey } from '#contract/message-key.ts'
import { type GivableRole, organizationRoles } from '#contract/organization-roles/organization-roles.ts'
import { powersOverOthers } from '#contract/organization-roles/role-permissions.ts'
import {
  type DirectoryGroup,
  type DirectoryGroupForm,
  type DirectoryGroupKind,
  directoryGroupForm,
  directoryGroupKinds,
  directoryGroupLabels,
} from '#contract/scim/directory-groups.ts'
import { directories } from '#contract/scim/scim.ts'
import { GroupServices, useGroups } from '#web/features/groups/groups.tsx'
import { useRoleWords } from '#web/features/organization-roles/organization-roles.tsx'
import { FormDialog } from '#web/lib/dialogs/form-dialog.tsx'
import { type FormOf, useSchemaForm } from '#web/lib/forms/form.ts'
import { query } from '#web/lib/requests/query.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { RadioCards } from '#web/ui/fields/radio-cards.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import { WhoGetsIt } from './who-gets-it.tsx'

const kinds: Record<DirectoryGroupKind, { label: MessageKey; hint: MessageKey }> = {
  nothing: { label: 'scimGroupIsNothing', hint: 'scimKindNothingHint' },
  group: { label: 'scimKindGroup', hint: 'scimKindGroupHint' },
  services: { label: 'scimKindServices', hint: 'scimKindServicesHint' },
  role: { label: 'scimKindRole', hint: 'scimKindRoleHint' },
}

interface MapGroupDialogProps {
  organizationId: string
  group: DirectoryGroup
  onClose: () => void
}

/** Decides what a group of the directory becomes here. */
export function MapGroupDialog({ organizationId, group, onClose }: MapGroupDialogProps) {
  const { t } = useTranslation()
  const { scimGroupId, name, groupId, role, version } = group
  const map = useSave(directories.mapGroup, { inline: true })
  const form = useSchemaForm({
    schema: directoryGroupForm,
    labels: directoryGroupLabels,
    values: {
      becomes: groupId ? 'group' : role ? 'role' : 'nothing',
      groupId,
      role: role as DirectoryGroupForm['role'],
      name: null,
      services: [],
    },
    save: async (input) => {
      await map.mutateAsync({ params: { id: organizationId, scimGroupId }, input: { ...input, version } })
      onClose()
    },
  })
  const becomes = form.form.watch('becomes')
  return (
    <FormDialog
      form={form}
      size="small"
      title={t('scimGroupDecideNamed', { name })}
      saveLabel={t('save')}
      onClose={onClose}
    >
      <Controller
        control={form.form.control}
        name="becomes"
        render={({ field: { value, onChange } }) => (
          <RadioCards
            legend={t('scimGroupBecomes')}
            options={directoryGroupKinds.map((kind) => ({
              value: kind,
              label: t(kinds[kind].label),
              hint: t(kinds[kind].hint),
            }))}
            value={value}
            onChange={(kind) => {
              onChange(kind)
              // What is not chosen is not checked either.
              form.form.setValue('name', kind === 'services' ? name.slice(0, 100) : null)
              form.form.setValue('services', [])
            }}
          />
        )}
      />
      {becomes === 'group' && <GroupField form={form} organizationId={organizationId} />}
      {becomes === 'services' && <ServicesFields form={form} organizationId={organizationId} />}
      {becomes === 'role' && <RoleField form={form} organizationId={organizationId} />}
      <WhoGetsIt group={group} becomes={becomes} />
    </FormDialog>
  )
}

interface PartProps {
  form: FormOf<typeof directoryGroupForm>
  organizationId: string
}

const orNull = { setValueAs: (value: string | null) => value || null }

function GroupField({ form, organizationId }: PartProps) {
  const { t } = useTranslation()
  const groups = useGroups(organizationId)
  return (
    <Field {...form.field('groupId')}>
      <Select {...form.register('groupId', orNull)}>
        <option value="">{t('scimChooseGroup')}</option>
        {groups.map(({ groupId, name }) => (
          <option key={groupId} value={groupId}>
            {name}
          </option>
        ))}
      </Select>
    </Field>
  )
}

function ServicesFields({ form, organizationId }: PartProps) {
  return (
    <>
      <Field {...form.field('name')}>
        <TextInput autoComplete="off" {...form.register('name')} />
      </Field>
      <Controller
        control={form.form.control}
        name="services"
        render={({ field: { value = [], onChange } }) => (
          <Suspense>
            <GroupServices
              organizationId={organizationId}
              given={value}
              onChange={onChange}
              errorOf={(index) => form.field(`services.${index}.validUntil`, '').error}
            />
          </Suspense>
        )}
      />
    </>
  )
}

/** A directory appoints nobody who decides what others may. */
const givesNoPower = ({ permissions }: GivableRole) => !permissions.some((one) => powersOverOthers.includes(one))

function RoleField({ form, organizationId }: PartProps) {
  const { t } = useTranslation()
  const { nameOf } = useRoleWords()
  const { data: roles = [] } = useQuery(query(organizationRoles.list, { params: { organizationId } }))
  return (
    <Field {...form.field('role')}>
      <Select {...form.register('role', orNull)}>
        <option value="">{t('scimChooseRole')}</option>
        {roles.filter(givesNoPower).map((one) => (
          <option key={one.role} value={one.role}>
            {nameOf(one)}
          </option>
        ))}
      </Select>
    </Field>
  )
}
