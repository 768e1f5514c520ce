import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { passwordRules } from '#contract/password-rules.ts'
import { passwordChange, profile } from '#contract/profile.ts'
import { useSchemaForm } from '#web/lib/form.ts'
import { FormProblem, FormProblems } from '#web/lib/form-problems.tsx'
import { LeaveGuard } from '#web/lib/leave-guard.tsx'
import { useSignedIn } from '#web/lib/signed-in.tsx'
import { useSave } from '#web/lib/use-save.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Card, FormActions, FormGrid } from '#web/ui/page.tsx'
import { PasswordInput } from '#web/ui/password-input.tsx'
import { PasswordRules } from '#web/ui/password-rules.tsx'
import { toasts } from '#web/ui/toast-store.ts'
import { atPassword } from './wrong-password.ts'

const empty = { oldPassword: '', newPassword: '', confirmNewPassword: '' }

export function PasswordForm() {
  const { t } = useTranslation()
  const { me } = useSignedIn()
  const { mutateAsync } = useSave(profile.changePassword, { inline: true })
  const form = useSchemaForm({
    schema: passwordChange,
    values: empty,
    save: async (input) => {
      await mutateAsync({ input }).catch((error: unknown) => {
        throw atPassword(error, 'oldPassword')
      })
      form.form.reset(empty)
      toasts.show({ tone: 'success', title: t('passwordChanged'), content: t('otherDevicesSignedOut') })
    },
  })
  const { register, field } = form
  const typed = useWatch({ control: form.form.control, name: 'newPassword' })
  const rules = passwordRules.map(({ text, isMet }) => ({ text: t(text), met: isMet(typed) }))
  const met = rules.filter((rule) => rule.met).length
  const show = t('showPassword')
  return (
    <form noValidate onSubmit={form.submit}>
      <Card>
        <FormGrid>
          <FormProblems form={form} />
          {/* Password managers want to know whose password it is. */}
          <input type="text" name="username" autoComplete="username" value={me.email} readOnly hidden />
          <Field {...field('oldPassword', t('oldPassword'))}>
            <PasswordInput autoComplete="current-password" showLabel={show} {...register('oldPassword')} />
          </Field>
          <Field {...field('newPassword', t('newPassword'))}>
            <PasswordInput
              autoComplete="new-password"
              showLabel={show}
              aria-describedby="password-rules"
              {...register('newPassword')}
            />
          </Field>
          <PasswordRules
            id="password-rules"
            title={t('passwordRulesTitle')}
            rules={rules}
            metText={t('passwordRuleMet')}
            missingText={t('passwordRuleMissing')}
            summary={typed ? t('passwordRulesMet', { met, total: rules.length }) : ''}
          />
          <Field {...field('confirmNewPassword', t('confirmNewPassword'))} hint={t('passwordChangeEndsSessions')}>
            <PasswordInput autoComplete="new-password" showLabel={show} {...register('confirmNewPassword')} />
          </Field>
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
