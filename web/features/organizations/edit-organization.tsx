import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ChangedByOthers } from '#web/lib/changed-by-others.tsx'
import type { CloseDialog } from '#web/lib/dialog-route.ts'
import type { EntityForm } from '#web/lib/entity-form.ts'
import { FormDialog } from '#web/lib/form-dialog.tsx'
import { LeaveGuard } from '#web/lib/leave-guard.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { type Tab, Tabs } from '#web/ui/tabs.tsx'
import { toasts } from '#web/ui/toast-store.ts'
import { DeleteOrganization } from './delete-organization.tsx'
import type { Choosable, OrganizationDraft, OrganizationValues } from './organization-draft.ts'
import { RemovalDialog } from './removal-dialog.tsx'
import { ServicesFields } from './services-fields.tsx'
import { SettingsFields } from './settings-fields.tsx'
import { useDescribe } from './use-describe.ts'
import { useOrganizationForm } from './use-organization-form.ts'

const PeopleOfOrganization = lazy(async () => ({
  default: (await import('#web/features/users/users.tsx')).PeopleOfOrganization,
}))

interface EditOrganizationProps {
  organization: Choosable
  onClose: CloseDialog
  /** A dialog above this one, of one of the people. */
  nested: ReactNode
  /** Begins with the people. */
  showPeople: boolean
}

export function EditOrganization({ organization, onClose, nested, showPeople }: EditOrganizationProps) {
  const { t } = useTranslation()
  const { form, question } = useOrganizationForm(organization, (name) => {
    toasts.show({ tone: 'success', title: t('updated'), content: name })
    onClose({ saved: true })
  })
  const describe = useDescribe(organization)
  const [tab, setTab] = useState(showPeople ? 'users' : 'settings')
  // The people are asked for when they are looked at, and stay as they were while the settings are.
  const [seen, setSeen] = useState(showPeople)
  const tabs: readonly Tab[] = [
    {
      value: 'settings',
      label: t('organizationSettings'),
      panel: <Settings form={form} organization={organization} />,
      errors: { count: form.errors.length, text: t('formErrors', { count: form.errors.length }) },
    },
    { value: 'users', label: t('users'), panel: seen && <People organization={organization} /> },
  ]
  const choose = (next: string) => {
    setTab(next)
    setSeen(seen || next === 'users')
  }
  // What has to be corrected must be seen.
  const reveal = () => setTab('settings')
  const submit: typeof form.submit = (event) => {
    reveal()
    form.submit(event)
  }
  return (
    <FormDialog
      form={{ ...form, submit, saving: form.saving && !question }}
      size="full"
      title={t('editOrganization')}
      subtitle={organization.name}
      onClose={onClose}
      reveal={reveal}
      footerStart={<DeleteOrganization organization={organization} onDeleted={() => onClose({ saved: true })} />}
      saveLabel={t('save')}
      notice={<ChangedByOthers form={form} describe={describe} />}
    >
      <Tabs label={t('editOrganization')} tabs={tabs} value={tab} onChange={choose} />
      <LeaveGuard dirty={form.dirty} within={`/organization-settings/${organization.organizationId}`} />
      <RemovalDialog organizationName={organization.name} question={question} />
      {nested}
    </FormDialog>
  )
}

interface SettingsProps {
  form: EntityForm<OrganizationDraft, OrganizationValues>
  organization: Choosable
}

function Settings({ form, organization }: SettingsProps) {
  return (
    <>
      <SettingsFields form={form} />
      <ServicesFields form={form} organization={organization} />
    </>
  )
}

function People({ organization }: { organization: Choosable }) {
  const { t } = useTranslation()
  return (
    <Suspense
      fallback={
        <SkeletonGroup label={t('loading')}>
          <Skeleton shape="row" count={10} />
        </SkeletonGroup>
      }
    >
      <PeopleOfOrganization organization={organization} />
    </Suspense>
  )
}
