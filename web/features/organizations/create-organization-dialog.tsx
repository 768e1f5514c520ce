import { useTranslation } from 'react-i18next'
import { organizationLabels, organizations } from '#contract/organizations/organizations.ts'
import { useCloseDialog } from '#web/lib/dialogs/dialog-route.ts'
import { useEntityDialog } from '#web/lib/dialogs/entity-dialog.ts'
import { FormDialog } from '#web/lib/dialogs/form-dialog.tsx'
import { useSave } from '#web/lib/requests/use-save.ts'
import { draftOf, formOf, organizationDraft } from './organization-draft.ts'
import { SettingsFields } from './settings-fields.tsx'

export function CreateOrganizationDialog() {
  const { t } = useTranslation()
  const create = useSave(organizations.create, { inline: true })
  const dialog = useEntityDialog({
    schema: organizationDraft,
    labels: organizationLabels,
    draftOf,
    nameOf: ({ name }) => name,
    onClose: useCloseDialog('/organization-settings'),
    save: (values) => create.mutateAsync({ input: formOf(values) }),
  })
  return (
    <FormDialog {...dialog} title={t('createOrganization')}>
      <SettingsFields form={dialog.form} />
    </FormDialog>
  )
}
