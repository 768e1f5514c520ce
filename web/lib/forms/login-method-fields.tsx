import { Controller, type FieldValues, type Path, useWatch } from 'react-hook-form'
import { companyMethods } from '#contract/login-methods.ts'
import { useLoginMethodChoices } from '#web/lib/texts/login-methods.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { RadioCards } from '#web/ui/fields/radio-cards.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import type { SchemaForm } from './form.ts'
import { SamlConfigField } from './saml-config-field.tsx'

interface LoginMethodFieldsProps<Draft extends FieldValues, Values> {
  form: SchemaForm<Draft, Values>
  /** One line: where something exists, the choice has been made and is seldom made again. */
  compact?: boolean | undefined
}

/** How somebody signs in, and which company sign-in where it is one; for drafts with `loginMethod` and `samlConfigId`. */
export function LoginMethodFields<Draft extends FieldValues, Values>({
  form,
  compact,
}: LoginMethodFieldsProps<Draft, Values>) {
  const choices = useLoginMethodChoices()
  const { control } = form.form
  const path = 'loginMethod' as Path<Draft>
  const method: unknown = useWatch({ control, name: path })
  return (
    <>
      <Controller
        control={control}
        name={path}
        render={({ field: { value, onChange, name } }) => {
          const { id, label, error } = form.field(path)
          if (compact)
            return (
              <Field id={id} label={label} error={error} hint={choices.find((one) => one.value === value)?.hint}>
                <Select name={name} value={value} onChange={(event) => onChange(event.target.value)}>
                  {choices.map((one) => (
                    <option key={one.value} value={one.value}>
                      {one.label}
                    </option>
                  ))}
                </Select>
              </Field>
            )
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
      {companyMethods.some((one) => one === method) && <SamlConfigField form={form} />}
    </>
  )
}
