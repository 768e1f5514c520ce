import { useTranslation } from 'react-i18next'
import { passwordChange, passwordLabels, profile } from '#contract/profile/profile.ts'
import { useSchemaForm } from '#web/lib/forms/form.ts'
import { FormProblem, FormProblems } from '#web/lib/forms/form-problems.tsx'
import { LeaveGuard } from '#web/lib/forms/leave-guard.tsx'
import { NewPasswordFields } from '#web/lib/forms/new-password-fields.tsx'
import { useSave } from '#web/lib/requests/use-save.ts'
import { useSignedIn } from '#web/lib/session/signed-in.tsx'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { PasswordInput } from '#web/ui/fields/password-input.tsx'
import { Card, FormActions, FormGrid } from '#web/ui/frame/page.tsx'
import { toasts } from '#web/ui/toast/toast-store.ts'
import { provePassword } from './prove-password.ts'
import { atPassword } from './wrong-password.ts'

const empty = { oldPassword: '', newPassword: '', confirmNewPassword: '' }

export function PasswordForm() {
  const { t } = useTranslation()
  const { me } = useSignedIn()
  const { mutateAsync } = useSave(profile.changePassword, { inline: true })
  const form = useSchemaForm({
    schema: passwordChange,
    labels: passwordLabels,
    values: empty,
    save: async (input) => {
      try {
        await provePassword(input.oldPassword)
        await mutateAsync({ input })
      } catch (error) {
        throw atPassword(error, 'oldPassword')
      }
      form.form.reset(empty)
      toasts.show({ tone: 'success', title: t('passwordChanged'), content: t('otherDevicesSignedOut') })
    },
  })
  return (
    <form noValidate onSubmit={form.submit}>
      <Card>
        <FormGrid>
          <FormProblems form={form} />
          {/* Password managers need the user name to save the password. */}
          <input type="text" name="username" autoComplete="username" value={me.email} readOnly hidden />
          <Field {...form.field('oldPassword')}>
            <PasswordInput
              autoComplete="current-password"
              showLabel={t('showPassword')}
              {...form.register('oldPassword')}
            />
          </Field>
          <NewPasswordFields
            form={form}
            password={{ name: 'newPassword' }}
            repetition={{
              name: 'confirmNewPassword',
              hint: t('passwordChangeEndsSessions'),
            }}
          />
          <FormProblem text={form.problem} />
          <FormActions>
            <Button type="submit" variant="primary" loading={form.saving}>
              {t('changePassword')}
            </Button>
          </FormActions>
        </FormGrid>
      </Card>
      <LeaveGuard dirty={form.dirty && !form.saving} />
    </form>
  )
}
