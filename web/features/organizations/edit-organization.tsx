import { createLink } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { organizations } from '#contract/organizations/organizations.ts'
import { useHistoryTab } from '#web/features/audit-events/audit-events.tsx'
import { DeleteFlow } from '#web/lib/dialogs/delete-flow.tsx'
import type { CloseDialog } from '#web/lib/dialogs/dialog-route.ts'
import { FormDialog } from '#web/lib/dialogs/form-dialog.tsx'
import type { EntityForm } from '#web/lib/forms/entity-form.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { Alert } from '#web/ui/alert.tsx'
import { LinkButton } from '#web/ui/button.tsx'
import { FormActions } from '#web/ui/frame/page.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { type Tab, Tabs } from '#web/ui/tabs.tsx'
import { LockedOutDialog } from './locked-out-dialog.tsx'
import { OpenOrganization } from './open-organization.ts'
import type { Choosable, OrganizationDraft, OrganizationValues } from './organization-draft.ts'
import { PeopleTab } from './people-tab.tsx'
import { RemovalDialog } from './removal-dialog.tsx'
import { ServicesFields } from './services-fields.tsx'
import { SettingsFields } from './settings-fields.tsx'
import { useDescribe } from './use-describe.ts'
import { useOrganizationDialog } from './use-organization-dialog.ts'
import { useTakeConfig } from './use-take-config.ts'

const OrganizationSignIn = lazy(async () => ({
  default: (await import('#web/features/saml-configs/saml-configs.tsx')).OrganizationSignIn,
}))

interface EditOrganizationProps {
  organization: Choosable
  onClose: CloseDialog
  /** The dialog of a user, above this one. */
  nested: ReactNode
  /** Opens on the users tab. */
  showPeople: boolean
}

export function EditOrganization({ organization, onClose, nested, showPeople }: EditOrganizationProps) {
  const { t } = useTranslation()
  const { dialog, question, lockedOut } = useOrganizationDialog(organization, onClose)
  const remove = useSave(organizations.remove, { inline: true })
  const { form } = dialog
  const { organizationId, name } = organization
  const describe = useDescribe(organization)
  const config = useTakeConfig(form, organization)
  const [tab, setTab] = useState(showPeople ? 'users' : 'settings')
  // The users are loaded when their tab is first opened, and stay mounted after that.
  const [seen, setSeen] = useState(showPeople)
  const tabs: readonly Tab[] = [
    {
      value: 'settings',
      label: t('organizationSettings'),
      panel: <Settings form={form} organization={organization} />,
      errors: { count: form.errors.length, text: t('tabErrors', { count: form.errors.length }) },
    },
    { value: 'users', label: t('users'), panel: seen && <PeopleTab organization={organization} /> },
    ...useHistoryTab(organizationId, tab === 'history'),
  ]
  const choose = (next: string) => {
    setTab(next)
    setSeen(seen || next === 'users')
  }
  // Show the tab of the fields that must be corrected.
  const reveal = () => setTab('settings')
  const submit: typeof form.submit = (event) => {
    reveal()
    form.submit(event)
  }
  return (
    <FormDialog
      {...dialog}
      form={{ ...form, submit, saving: form.saving && !question && !lockedOut }}
      size="full"
      title={t('editOrganization')}
      subtitle={name}
      reveal={reveal}
      footerStart={
        <DeleteFlow
          name={name}
          text={t('deleteOrganizationText')}
          inUse={{
            message: 'organizationNotEmpty',
            title: t('deleteOrganizationNotEmptyTitle', { name }),
            text: t('deleteOrganizationNotEmptyText'),
          }}
          remove={(query) => remove.mutateAsync({ params: { id: organizationId }, query })}
          onClose={onClose}
        />
      }
      describe={describe}
      guard={{ within: `/organization-settings/${organizationId}` }}
    >
      {config.chosen && form.dirty && (
        <Alert tone="info" live="status">
          {t('signInChosenText')}
        </Alert>
      )}
      <Tabs label={t('editOrganization')} tabs={tabs} value={tab} onChange={choose} />
      <RemovalDialog organizationName={name} question={question} />
      {lockedOut && <LockedOutDialog organizationName={name} question={lockedOut} />}
      <OpenOrganization value={{ organization: { organizationId, name }, dirty: form.dirty, onPrepared: config.take }}>
        {nested}
      </OpenOrganization>
    </FormDialog>
  )
}

interface SettingsProps {
  form: EntityForm<OrganizationDraft, OrganizationValues>
  organization: Choosable
}

const PageLink = createLink(LinkButton)

function Settings({ form, organization }: SettingsProps) {
  const { t } = useTranslation()
  return (
    <>
      <SettingsFields form={form} compact signIn={<SignIn organization={organization} />} />
      <FormActions>
        <PageLink to="/sign-in-rules/$organizationId" params={{ organizationId: organization.organizationId }}>
          {t('signInRules')}
        </PageLink>
        <PageLink to="/organization-brand/$organizationId" params={{ organizationId: organization.organizationId }}>
          {t('organizationBrand')}
        </PageLink>
        <PageLink to="/organization-directory/$organizationId" params={{ organizationId: organization.organizationId }}>
          {t('organizationDirectory')}
        </PageLink>
      </FormActions>
      <ServicesFields form={form} organization={organization} />
    </>
  )
}

function SignIn({ organization }: { organization: Choosable }) {
  return (
    <Suspense fallback={<Skeleton shape="control" />}>
      <OrganizationSignIn organization={organization} />
    </Suspense>
  )
}
