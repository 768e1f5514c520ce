import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Controller, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type * as z from 'zod/mini'
import { type serviceForm, services } from '#contract/services/services.ts'
import type { FormOf } from '#web/lib/forms/form.ts'
import { query } from '#web/lib/requests/query.ts'
import { Switch } from '#web/ui/fields/checkbox.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import { IconField } from './icon-field.tsx'

export const newService: Required<z.input<typeof serviceForm>> = {
  name: '',
  url: '',
  description: '',
  category: '',
  icon: '',
  requestable: false,
}

/** The fields of a service, both new and existing. */
export function ServiceFields({ form }: { form: FormOf<typeof serviceForm> }) {
  const { t } = useTranslation()
  const categoriesId = useId()
  const categories = useQuery(query(services.categories)).data ?? []
  const { control } = form.form
  const name = useWatch({ control, name: 'name' })
  const icon = form.field('icon')
  return (
    <>
      <Field {...form.field('name')}>
        <TextInput autoComplete="off" {...form.register('name')} />
      </Field>
      <Field {...form.field('url')} hint={t('webAddressHint')}>
        <TextInput type="url" autoComplete="off" spellCheck={false} {...form.register('url')} />
      </Field>
      <Field {...form.field('description')} hint={t('descriptionHint')} optionalText={t('optional')}>
        <TextArea rows={2} {...form.register('description')} />
      </Field>
      <Field {...form.field('category')} hint={t('categoryHint')} optionalText={t('optional')}>
        <TextInput autoComplete="off" list={categoriesId} {...form.register('category')} />
      </Field>
      <datalist id={categoriesId}>
        {categories.map((category) => (
          <option key={category} value={category} />
        ))}
      </datalist>
      <Controller
        control={control}
        name="icon"
        render={({ field: { value, onChange } }) => (
          <IconField
            id={icon.id}
            label={icon.label}
            error={icon.error}
            name={name}
            value={value ?? ''}
            onChange={onChange}
          />
        )}
      />
      <Switch
        id={form.field('requestable').id}
        label={form.field('requestable').label}
        hint={t('requestableHint')}
        {...form.register('requestable')}
      />
    </>
  )
}
