import { useRef } from 'react'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { isLocal } from '#contract/users/user-forms.ts'
import { users } from '#contract/users/users.ts'
import type { CloseDialog } from '#web/lib/dialogs/dialog-route.ts'
import { useEntityDialog } from '#web/lib/dialogs/entity-dialog.ts'
import { FormDialog } from '#web/lib/dialogs/form-dialog.tsx'
import { NewPasswordFields } from '#web/lib/forms/new-password-fields.tsx'
import { useSave } from '#web/lib/requests/use-save.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { nameOf } from '../user-name.ts'
import { organizationsIn, servicesIn } from './belongings.ts'
import { ContactFields, ManagedFields, NameFields, type UserSchemaForm } from './person-fields.tsx'
import { UnprovenDialog } from './unproven-dialog.tsx'
import { useFormTabs } from './use-form-tabs.ts'
import { useSeats } from './use-seats.ts'
import { useUnproven } from './use-unproven.ts'
import { createSchema, draftOf, inPortalOf, type UserDraft, userLabels } from './user-draft.ts'
import { UserPermissions } from './user-permissions.tsx'
import { atTheirFields } from './user-problems.ts'

interface CreateUserProps {
  /** The preselected organisation of the new user. */
  organization?: { organizationId: string; name: string } | undefined
  onClose: CloseDialog
}

export function CreateUser({ organization, onClose }: CreateUserProps) {
  const { t } = useTranslation()
  const { mutateAsync } = useSave(users.create, { inline: true })
  const withSeats = useSeats()
  const unproven = useUnproven()
  const { current: names } = useRef(
    new Map<string, string>(organization && [[organization.organizationId, organization.name]]),
  )
  const roles: UserDraft['roles'] = organization ? { [organization.organizationId]: 'regular' } : {}
  const dialog = useEntityDialog({
    schema: createSchema,
    labels: userLabels,
    draftOf: () => ({ ...draftOf({}), roles }),
    nameOf,
    onClose,
    save: async (values) => {
      const { roles: _roles, services: _services, days: _days, password, confirmNewPassword, ...person } = values
      const lists = { organizations: organizationsIn(values), services: servicesIn(values) }
      const passwords = isLocal(values.loginMethod) ? { password, confirmNewPassword } : {}
      const send = (more: object) =>
        mutateAsync({ input: { ...person, ...inPortalOf(values), ...passwords, ...lists, ...more } }).catch(
          async (error: unknown) => {
            throw await withSeats(atTheirFields(error, lists), lists.services)
          },
        )
      return unproven.save({
        person: { name: nameOf(values), email: values.email, openedFor: null },
        added: values.superUser || values.portalRole ? [] : lists.organizations.map((one) => one.organizationId),
        send,
        // Who accepts an invitation opens the account.
        withoutAdded: async () => {},
      })
    },
  })
  const { form } = dialog
  const { tab, choose, reveal, errorsIn } = useFormTabs(form)
  const permissions = <UserPermissions form={form} names={names} personName={t('theNewPerson')} manage />
  return (
    <FormDialog
      {...dialog}
      form={{ ...form, saving: form.saving && !unproven.question }}
      title={t('createUser')}
      reveal={reveal}
    >
      <Tabs
        label={t('createUser')}
        value={tab}
        onChange={choose}
        tabs={[
          { value: 'general', label: t('general'), panel: <General form={form} />, errors: errorsIn('general') },
          { value: 'permissions', label: t('permissions'), panel: permissions, errors: errorsIn('permissions') },
        ]}
      />
      {unproven.question && <UnprovenDialog question={unproven.question} />}
    </FormDialog>
  )
}

function General({ form }: { form: UserSchemaForm }) {
  const { t } = useTranslation()
  const method = useWatch({ control: form.form.control, name: 'loginMethod' })
  return (
    <>
      <Field {...form.field('email')}>
        <TextInput type="email" autoComplete="off" {...form.register('email')} />
      </Field>
      <NameFields form={form} />
      <ContactFields form={form} />
      <ManagedFields form={form} />
      {isLocal(method) && (
        <NewPasswordFields
          form={form}
          password={{ name: 'password', hint: t('passwordByAdminHint') }}
          repetition={{ name: 'confirmNewPassword' }}
        />
      )}
    </>
  )
}
