import { useRef } from 'react'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { isLocal } from '#contract/user-forms.ts'
import { users } from '#contract/users.ts'
import type { CloseDialog } from '#web/lib/dialog-route.ts'
import { useSchemaForm } from '#web/lib/form.ts'
import { FormDialog } from '#web/lib/form-dialog.tsx'
import { LeaveGuard } from '#web/lib/leave-guard.tsx'
import { NewPasswordFields } from '#web/lib/new-password-fields.tsx'
import { useSave } from '#web/lib/use-save.ts'
import { Field } from '#web/ui/field.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import { toasts } from '#web/ui/toast-store.ts'
import { organizationsIn, servicesIn } from './belongings.ts'
import { ContactFields, ManagedFields, NameFields, type UserSchemaForm } from './person-fields.tsx'
import { useFormTabs } from './use-form-tabs.ts'
import { useSeats } from './use-seats.ts'
import { createSchema, nameOf, newUser, type UserDraft, type UserValues } from './user-draft.ts'
import { UserPermissions } from './user-permissions.tsx'
import { atTheirFields } from './user-problems.ts'

interface CreateUserProps {
  /** The organisation that the new person belongs to unless somebody takes it away. */
  organization?: { organizationId: string; name: string } | undefined
  onClose: CloseDialog
}

export function CreateUser({ organization, onClose }: CreateUserProps) {
  const { t } = useTranslation()
  const { mutateAsync } = useSave(users.create, { inline: true })
  const withSeats = useSeats()
  const { current: names } = useRef(
    new Map<string, string>(organization && [[organization.organizationId, organization.name]]),
  )
  const form = useSchemaForm<UserDraft, UserValues>({
    schema: createSchema,
    values: { ...newUser, roles: organization ? { [organization.organizationId]: 'regular' } : {} },
    save: async (values) => {
      const { roles: _roles, services: _services, password, confirmNewPassword, ...person } = values
      const lists = { organizations: organizationsIn(values), services: servicesIn(values) }
      const passwords = isLocal(values.loginMethod) ? { password, confirmNewPassword } : {}
      await mutateAsync({ input: { ...person, ...passwords, ...lists } }).catch(async (error: unknown) => {
        throw await withSeats(atTheirFields(error, lists), lists.services)
      })
      toasts.show({ tone: 'success', title: t('created', { name: nameOf(values) }) })
      onClose({ saved: true })
    },
  })
  const { tab, choose, reveal, errorsIn } = useFormTabs(form)
  const permissions = <UserPermissions form={form} names={names} personName={t('theNewPerson')} />
  return (
    <FormDialog
      form={form}
      title={t('createUser')}
      onClose={onClose}
      initialFocus="first"
      saveLabel={t('create')}
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
      <LeaveGuard dirty={form.dirty} />
    </FormDialog>
  )
}

function General({ form }: { form: UserSchemaForm }) {
  const { t } = useTranslation()
  const method = useWatch({ control: form.form.control, name: 'loginMethod' })
  return (
    <>
      <Field {...form.field('email', t('email'))}>
        <TextInput type="email" autoComplete="off" {...form.register('email')} />
      </Field>
      <NameFields form={form} />
      <ContactFields form={form} />
      <ManagedFields form={form} />
      {isLocal(method) && (
        <NewPasswordFields
          form={form}
          password={{ name: 'password', label: t('password'), hint: t('passwordByAdminHint') }}
          repetition={{ name: 'confirmNewPassword', label: t('repeatPassword') }}
        />
      )}
    </>
  )
}
