import { passwordRules } from '#contract/password-rules.ts'
import { Field } from '#web/ui/field.tsx'
import { PasswordInput } from '#web/ui/password-input.tsx'
import { PasswordRules } from '#web/ui/password-rules.tsx'
import { usePublicPage } from './public-page.tsx'

interface PasswordFieldState {
  /** Id of the control, and its name. */
  name: string
  label: string
  value: string
  error: string | undefined
  change: (value: string) => void
}

/** A password and its repetition, with the checklist that is ticked off while somebody types. */
export function NewPasswordFields({
  password,
  confirmation,
  locked,
}: {
  password: PasswordFieldState
  confirmation: PasswordFieldState
  /** It has been saved. */
  locked?: boolean
}) {
  const { t } = usePublicPage()
  const rules = passwordRules.map(({ text, isMet }) => ({ text: t(text), met: isMet(password.value) }))
  const met = rules.filter((rule) => rule.met).length
  const input = ({ name, value, change }: PasswordFieldState, describedBy?: string) => (
    <PasswordInput
      name={name}
      autoComplete="new-password"
      maxLength={256}
      readOnly={locked}
      showLabel={t('showPassword')}
      value={value}
      aria-describedby={describedBy}
      onChange={(event) => change(event.target.value)}
    />
  )
  return (
    <>
      <Field label={password.label} id={password.name} error={password.error}>
        {input(password, 'password-rules')}
      </Field>
      <PasswordRules
        id="password-rules"
        title={t('passwordRulesTitle')}
        rules={rules}
        metText={t('passwordRuleMet')}
        missingText={t('passwordRuleMissing')}
        summary={password.value && t('passwordRulesMet', { met: String(met), total: String(rules.length) })}
      />
      <Field label={confirmation.label} id={confirmation.name} error={confirmation.error}>
        {input(confirmation)}
      </Field>
    </>
  )
}
