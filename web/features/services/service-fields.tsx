import { useTranslation } from 'react-i18next'
import type * as z from 'zod/mini'
import type { serviceForm } from '#contract/services.ts'
import type { FormOf } from '#web/lib/form.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'

export const newService: z.input<typeof serviceForm> = { name: '', url: '' }

/** The fields of a service, both new and existing. */
export function ServiceFields({ form }: { form: FormOf<typeof serviceForm> }) {
  const { t } = useTranslation()
  return (
    <>
      <Field {...form.field('name')}>
        <TextInput autoComplete="off" {...form.register('name')} />
      </Field>
      <Field {...form.field('url')} hint={t('webAddressHint')}>
        <TextInput type="url" autoComplete="off" spellCheck={false} {...form.register('url')} />
      </Field>
    </>
  )
}
