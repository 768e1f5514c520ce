import { useTranslation } from 'react-i18next'
import { organizations } from '#contract/organizations.ts'
import { useCloseDialog } from '#web/lib/dialog-route.ts'
import { useSchemaForm } from '#web/lib/form.ts'
import { FormProblem, FormProblems } from '#web/lib/form-problems.tsx'
import { LeaveGuard } from '#web/lib/leave-guard.tsx'
import { useSave } from '#web/lib/use-save.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
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
    <Dialog
      open
      title={t('createOrganization')}
      closeLabel={t('close')}
      onClose={close}
      initialFocus="first"
      form={{ onSubmit: form.submit }}
      footer={
        <>
          <Button onClick={() => close()}>{t('cancel')}</Button>
          <Button type="submit" variant="primary" loading={form.saving}>
            {t('create')}
          </Button>
        </>
      }
    >
      <FormProblems form={form} />
      <SettingsFields form={form} />
      <FormProblem text={form.problem} />
      <LeaveGuard dirty={form.dirty} />
    </Dialog>
  )
}
