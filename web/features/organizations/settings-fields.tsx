import { Controller, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { SchemaForm } from '#web/lib/form.ts'
import { Field } from '#web/ui/field.tsx'
import { FormGrid } from '#web/ui/page.tsx'
import { RadioCards } from '#web/ui/radio-cards.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import { useLoginMethodChoices } from './login-methods.ts'
import { asNumber, type OrganizationDraft, type OrganizationValues } from './organization-draft.ts'
import { SamlConfigField } from './saml-config-field.tsx'

export type OrganizationSchemaForm = SchemaForm<OrganizationDraft, OrganizationValues>

/** The fields that every organisation has, new or not. */
export function SettingsFields({ form }: { form: OrganizationSchemaForm }) {
  const { t } = useTranslation()
  const { register, field } = form
  const { control } = form.form
  const choices = useLoginMethodChoices()
  const method = useWatch({ control, name: 'loginMethod' })
  return (
    <>
      <FormGrid columns>
        <Field {...field('name', t('name'))}>
          <TextInput autoComplete="off" {...register('name')} />
        </Field>
        <Field {...field('organizationNumber', t('organizationNumber'))} optionalText={t('optional')}>
          <TextInput autoComplete="off" {...register('organizationNumber')} />
        </Field>
      </FormGrid>
      <Field {...field('maxPassiveDays', t('maxPassiveDays'))} hint={t('maxPassiveDaysHint')}>
        <TextInput
          inputMode="numeric"
          autoComplete="off"
          suffix={t('daysUnit')}
          {...register('maxPassiveDays', { setValueAs: asNumber })}
        />
      </Field>
      <Controller
        control={control}
        name="loginMethod"
        render={({ field: { value, onChange, name } }) => {
          const { id, label, error } = field('loginMethod', t('loginMethod'))
          return (
            <RadioCards
              id={id}
              name={name}
              legend={label}
              options={choices}
              value={value}
              onChange={onChange}
              error={error}
            />
          )
        }}
      />
      {method === 'saml' && <SamlConfigField form={form} />}
    </>
  )
}
