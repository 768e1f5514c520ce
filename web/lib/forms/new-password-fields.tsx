import { type FieldValues, type Path, useWatch } from 'react-hook-form'
import { passwordRules } from '#contract/fields/password-rules.ts'
import { useTexts } from '#web/lib/texts/texts.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { PasswordInput } from '#web/ui/fields/password-input.tsx'
import { PasswordRules } from '#web/ui/fields/password-rules.tsx'
import type { SchemaForm } from './form.ts'

interface PasswordField<Draft extends FieldValues> {
  name: Path<Draft>
  hint?: string
}
interface NewPasswordFieldsProps<Draft extends FieldValues, Values> {
  form: SchemaForm<Draft, Values>
  password: PasswordField<Draft>
  repetition: PasswordField<Draft>
  /** The password has been saved. */
  locked?: boolean
}

/** A new password and its repetition, with a checklist of the rules that is ticked off while somebody types. */
export function NewPasswordFields<Draft extends FieldValues, Values>(props: NewPasswordFieldsProps<Draft, Values>) {
  const { form, password, repetition, locked } = props
  const { t } = useTexts()
  const typed: unknown = useWatch({ control: form.form.control, name: password.name })
  const value = String(typed ?? '')
  const rules = passwordRules.map(({ text, isMet }) => ({ text: t(text), met: isMet(value) }))
  const met = rules.filter((rule) => rule.met).length
  const repeated = form.field(repetition.name)
  // A mismatch shown at the repetition goes away when the password is corrected, too.
  const deps = repeated.error ? [repetition.name] : []
  const input = { autoComplete: 'new-password', showLabel: t('showPassword'), readOnly: locked }
  return (
    <>
      <Field {...form.field(password.name)} hint={password.hint}>
        <PasswordInput {...input} aria-describedby="password-rules" {...form.register(password.name, { deps })} />
      </Field>
      <PasswordRules
        id="password-rules"
        title={t('passwordRulesTitle')}
        rules={rules}
        metText={t('passwordRuleMet')}
        missingText={t('passwordRuleMissing')}
        summary={value && t('passwordRulesMet', { met: String(met), total: String(rules.length) })}
      />
      <Field {...repeated} hint={repetition.hint}>
        <PasswordInput {...input} {...form.register(repetition.name)} />
      </Field>
    </>
  )
}
