import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { passwordRules } from '#contract/password-rules.ts'
import { isLocal } from '#contract/user-forms.ts'
import { Field } from '#web/ui/field.tsx'
import { PasswordInput } from '#web/ui/password-input.tsx'
import { PasswordRules } from '#web/ui/password-rules.tsx'
import type { UserSchemaForm } from './person-fields.tsx'

/** The first password of somebody who signs in with one, and what it needs, ticked off. */
export function NewPasswordFields({ form }: { form: UserSchemaForm }) {
  const { t } = useTranslation()
  const { register, field } = form
  const [method, typed] = useWatch({ control: form.form.control, name: ['loginMethod', 'password'] })
  if (!isLocal(method)) return null
  const rules = passwordRules.map(({ text, isMet }) => ({ text: t(text), met: isMet(typed) }))
  const met = rules.filter((rule) => rule.met).length
  const show = t('showPassword')
  return (
    <>
      <Field {...field('password', t('password'))} hint={t('passwordByAdminHint')}>
        <PasswordInput
          autoComplete="new-password"
          showLabel={show}
          aria-describedby="new-user-password-rules"
          {...register('password')}
        />
      </Field>
      <PasswordRules
        id="new-user-password-rules"
        title={t('passwordRulesTitle')}
        rules={rules}
        metText={t('passwordRuleMet')}
        missingText={t('passwordRuleMissing')}
        summary={typed ? t('passwordRulesMet', { met, total: rules.length }) : ''}
      />
      <Field {...field('confirmNewPassword', t('repeatPassword'))}>
        <PasswordInput autoComplete="new-password" showLabel={show} {...register('confirmNewPassword')} />
      </Field>
    </>
  )
}
