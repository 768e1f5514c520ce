import { useTranslation } from 'react-i18next'
import type { ServiceForm } from '#contract/services.ts'
import type { SchemaForm } from '#web/lib/form.ts'
import { Field } from '#web/ui/field.tsx'
import { TextInput } from '#web/ui/text-input.tsx'

type ServiceSchemaForm = SchemaForm<ServiceForm, ServiceForm>

/** What a service is made of. */
export function ServiceFields({ form }: { form: ServiceSchemaForm }) {
  const { t } = useTranslation()
  return (
    <>
      <Field {...form.field('name', t('name'))}>
        <TextInput autoComplete="off" {...form.register('name')} />
      </Field>
      <Field {...form.field('url', t('webAddress'))} hint={t('webAddressHint')}>
        <TextInput type="url" autoComplete="off" spellCheck={false} {...form.register('url')} />
      </Field>
    </>
  )
}
