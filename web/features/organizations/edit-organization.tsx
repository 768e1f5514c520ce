import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ChangedByOthers } from '#web/lib/changed-by-others.tsx'
import type { CloseDialog } from '#web/lib/dialog-route.ts'
import type { EntityForm } from '#web/lib/entity-form.ts'
import { FormProblem, FormProblems } from '#web/lib/form-problems.tsx'
import { LeaveGuard } from '#web/lib/leave-guard.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { type Tab, Tabs } from '#web/ui/tabs.tsx'
import { toasts } from '#web/ui/toast-store.ts'
import { DeleteOrganization } from './delete-organization.tsx'
import type { Choosable, OrganizationDraft, OrganizationValues } from './organization-draft.ts'
import { RemovalDialog } from './removal-dialog.tsx'
import { ServicesFields } from './services-fields.tsx'
import { SettingsFields } from './settings-fields.tsx'
import { useDescribe } from './use-describe.ts'
import { useOrganizationForm } from './use-organization-form.ts'

interface EditOrganizationProps {
  organization: Choosable
  onClose: CloseDialog
  /** A dialog above this one. */
  nested: ReactNode
}

export function EditOrganization({ organization, onClose, nested }: EditOrganizationProps) {
  const { t } = useTranslation()
  const { form, question } = useOrganizationForm(organization, (name) => {
    toasts.show({ tone: 'success', title: t('updated'), content: name })
    onClose({ saved: true })
  })
  // One line each; the people of the organisation are to be the second.
  const tabs: readonly Tab[] = [
    {
      value: 'settings',
      label: t('organizationSettings'),
      panel: <Settings form={form} organization={organization} />,
    },
  ]
  return (
    <Dialog
      open
      size="full"
      title={t('editOrganization')}
      subtitle={organization.name}
      closeLabel={t('close')}
      onClose={onClose}
      form={{ onSubmit: form.submit }}
      footerStart={<DeleteOrganization organization={organization} onDeleted={() => onClose({ saved: true })} />}
      footer={
        <>
          <Button onClick={() => onClose()}>{t('cancel')}</Button>
          <Button type="submit" variant="primary" loading={form.saving && !question}>
            {t('save')}
          </Button>
        </>
      }
    >
      <TabsWhereSeveral tabs={tabs} />
      <LeaveGuard dirty={form.dirty} />
      <RemovalDialog organizationName={organization.name} question={question} />
      {nested}
    </Dialog>
  )
}

/** A single tab needs no row of tabs. */
function TabsWhereSeveral({ tabs }: { tabs: readonly Tab[] }) {
  const { t } = useTranslation()
  const [tab, setTab] = useState('settings')
  if (tabs.length === 1) return tabs[0]?.panel
  return <Tabs label={t('editOrganization')} tabs={tabs} value={tab} onChange={setTab} />
}

interface SettingsProps {
  form: EntityForm<OrganizationDraft, OrganizationValues>
  organization: Choosable
}

function Settings({ form, organization }: SettingsProps) {
  const describe = useDescribe(organization)
  return (
    <>
      <ChangedByOthers form={form} describe={describe} />
      <FormProblems form={form} />
      <SettingsFields form={form} />
      <ServicesFields form={form} organization={organization} />
      <FormProblem text={form.problem} />
    </>
  )
}
