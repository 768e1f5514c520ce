import { useTranslation } from 'react-i18next'
import type { ServiceForm } from '#contract/services.ts'
import type { SchemaForm } from '#web/lib/form.ts'
import { FormProblem, FormProblems } from '#web/lib/form-problems.tsx'
import { Field } from '#web/ui/field.tsx'
import { TextInput } from '#web/ui/text-input.tsx'

export type ServiceSchemaForm = SchemaForm<ServiceForm, ServiceForm>

/** What a service is made of, with everything that may be wrong with it. */
export function ServiceFields({ form }: { form: ServiceSchemaForm }) {
  const { t } = useTranslation()
  return (
    <>
      <FormProblems form={form} />
      <Field {...form.field('name', t('name'))}>
        <TextInput autoComplete="off" {...form.register('name')} />
      </Field>
      <Field {...form.field('url', t('webAddress'))} hint={t('webAddressHint')}>
        <TextInput type="url" autoComplete="off" spellCheck={false} {...form.register('url')} />
      </Field>
      <FormProblem text={form.problem} />
    </>
  )
}
