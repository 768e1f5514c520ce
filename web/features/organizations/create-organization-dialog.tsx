import { useTranslation } from 'react-i18next'
import { organizations } from '#contract/organizations.ts'
import { useCloseDialog } from '#web/lib/dialog-route.ts'
import { useSchemaForm } from '#web/lib/form.ts'
import { FormDialog } from '#web/lib/form-dialog.tsx'
import { LeaveGuard } from '#web/lib/leave-guard.tsx'
import { useSave } from '#web/lib/use-save.ts'
import { toasts } from '#web/ui/toast-store.ts'
import {
  formOf,
  newOrganization,
  type OrganizationDraft,
  type OrganizationValues,
  organizationDraft,
} from './organization-draft.ts'
import { SettingsFields } from './settings-fields.tsx'

export function CreateOrganizationDialog() {
  const { t } = useTranslation()
  const close = useCloseDialog('/organization-settings')
  const { mutateAsync } = useSave(organizations.create, { inline: true })
  const form = useSchemaForm<OrganizationDraft, OrganizationValues>({
    schema: organizationDraft,
    values: newOrganization,
    save: async (values) => {
      await mutateAsync({ input: formOf(values) })
      toasts.show({ tone: 'success', title: t('created', { name: values.name }) })
      close({ saved: true })
    },
  })
  return (
    <FormDialog
      form={form}
      title={t('createOrganization')}
      onClose={close}
      initialFocus="first"
      saveLabel={t('create')}
    >
      <SettingsFields form={form} />
      <LeaveGuard dirty={form.dirty} />
    </FormDialog>
  )
}
