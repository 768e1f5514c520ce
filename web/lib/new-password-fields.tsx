import { useId } from 'react'
import { type FieldValues, type Path, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { passwordRules } from '#contract/password-rules.ts'
import { Field } from '#web/ui/field.tsx'
import { PasswordInput } from '#web/ui/password-input.tsx'
import { PasswordRules } from '#web/ui/password-rules.tsx'
import type { SchemaForm } from './form.ts'

interface PasswordField<Draft extends FieldValues> {
  name: Path<Draft>
  label: string
  hint?: string
}
interface NewPasswordFieldsProps<Draft extends FieldValues, Values> {
  form: SchemaForm<Draft, Values>
  password: PasswordField<Draft>
  repetition: PasswordField<Draft>
}

/** A password and its repetition, with what it needs, ticked off while somebody types. */
export function NewPasswordFields<Draft extends FieldValues, Values>(props: NewPasswordFieldsProps<Draft, Values>) {
  const { form, password, repetition } = props
  const { t } = useTranslation()
  const rulesId = useId()
  const typed: string = useWatch({ control: form.form.control, name: password.name })
  const rules = passwordRules.map(({ text, isMet }) => ({ text: t(text), met: isMet(typed) }))
  const met = rules.filter((rule) => rule.met).length
  const input = ({ name, label, hint }: PasswordField<Draft>, describedBy?: string) => (
    <Field {...form.field(name, label)} hint={hint}>
      <PasswordInput
        autoComplete="new-password"
        showLabel={t('showPassword')}
        aria-describedby={describedBy}
        {...form.register(name)}
      />
    </Field>
  )
  return (
    <>
      {input(password, rulesId)}
      <PasswordRules
        id={rulesId}
        title={t('passwordRulesTitle')}
        rules={rules}
        metText={t('passwordRuleMet')}
        missingText={t('passwordRuleMissing')}
        summary={typed ? t('passwordRulesMet', { met, total: rules.length }) : ''}
      />
      {input(repetition)}
    </>
  )
}
