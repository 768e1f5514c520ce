import { Controller } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { type OrganizationRules, signInRulesCalls } from '#contract/factors/organization-rules.ts'
import { type SignInRulesForm as Form, signInRulesForm, signInRulesLabels } from '#contract/factors/rules.ts'
import { secondFactorKinds } from '#contract/second-factors.ts'
import { type FormOf, useSchemaForm } from '#web/lib/forms/form.ts'
import { FormProblem, FormProblems } from '#web/lib/forms/form-problems.tsx'
import { useSave } from '#web/lib/requests/use-save.ts'
import { factorName } from '#web/lib/texts/factor-names.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { FieldGroup } from '#web/ui/fields/field-group.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import { FormActions, FormGrid } from '#web/ui/frame/page.tsx'
import { toasts } from '#web/ui/toast/toast-store.ts'

const numbers = ['sessionIdleMinutes', 'sessionMaxHours', 'maxPasswordAgeDays'] as const

export function SignInRulesForm({ rules }: { rules: OrganizationRules }) {
  const { t } = useTranslation()
  const save = useSave(signInRulesCalls.update, { inline: true })
  const { organizationId, adminsWithoutKey: _, peopleByMailAlone: __, portal, ...values } = rules
  const form = useSchemaForm({
    schema: signInRulesForm,
    labels: signInRulesLabels,
    values,
    save: async (input) => {
      await save.mutateAsync({ params: { id: organizationId }, input })
      form.form.reset(input)
      toasts.show({ tone: 'success', title: t('signInRulesSaved') })
    },
  })
  return (
    <form noValidate onSubmit={form.submit}>
      <FormGrid>
        <FormProblems form={form} />
        <CountingFactors form={form} />
        <Field {...form.field('strongAdminsFrom')} optionalText={t('optional')}>
          <TextInput type="date" {...form.register('strongAdminsFrom', { setValueAs: (day) => day || null })} />
        </Field>
        {numbers.map((name) => (
          <Field
            key={name}
            {...form.field(name)}
            optionalText={t('optional')}
            hint={name === 'maxPasswordAgeDays' ? undefined : t('atMostPortal', { value: portal[name] })}
          >
            <TextInput type="number" inputMode="numeric" {...form.register(name, { setValueAs: toNumber })} />
          </Field>
        ))}
        <FormProblem text={form.problem} />
        <FormActions>
          <Button type="submit" variant="primary" loading={form.saving}>
            {t('save')}
          </Button>
        </FormActions>
      </FormGrid>
    </form>
  )
}

const toNumber = (typed: unknown) => (typed === '' || typed === null ? null : Number(typed))

/** Null where each counts: no choice is made then. */
function CountingFactors({ form }: { form: FormOf<typeof signInRulesForm> }) {
  const { t } = useTranslation()
  const { label, error } = form.field('secondFactors')
  return (
    <Controller
      control={form.form.control}
      name="secondFactors"
      render={({ field: { value, onChange } }) => {
        const chosen: Form['secondFactors'] = value ?? [...secondFactorKinds]
        return (
          <FieldGroup legend={label} hint={error ?? t('secondFactorsHint')}>
            {secondFactorKinds.map((kind) => (
              <Checkbox
                key={kind}
                label={t(factorName(kind))}
                checked={chosen.includes(kind)}
                onChange={({ target }) => {
                  const next = secondFactorKinds.filter((one) => (one === kind ? target.checked : chosen.includes(one)))
                  onChange(next.length === secondFactorKinds.length ? null : next)
                }}
              />
            ))}
          </FieldGroup>
        )
      }}
    />
  )
}
