import { Controller, type FieldValues, type Path, useWatch } from 'react-hook-form'
import { RadioCards } from '#web/ui/fields/radio-cards.tsx'
import type { SchemaForm } from './form.ts'
import { useLoginMethodChoices } from './login-methods.ts'
import { SamlConfigField } from './saml-config-field.tsx'

/** How somebody signs in, and which company sign-in where it is one; for drafts with `loginMethod` and `samlConfigId`. */
export function LoginMethodFields<Draft extends FieldValues, Values>({ form }: { form: SchemaForm<Draft, Values> }) {
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
