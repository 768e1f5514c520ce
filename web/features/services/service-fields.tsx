import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { Controller, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type * as z from 'zod/mini'
import { type serviceForm, services } from '#contract/services/services.ts'
import type { FormOf, SchemaForm } from '#web/lib/forms/form.ts'
import { query } from '#web/lib/requests/query.ts'
import { Switch } from '#web/ui/fields/checkbox.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import { IconField } from './icon-field.tsx'
import styles from './services.module.css'

type ServiceDraft = z.input<typeof serviceForm>

export const newService: Required<ServiceDraft> = {
  name: '',
  url: '',
  description: '',
  category: '',
  icon: '',
  requestable: false,
}

interface ServiceFieldsProps<Draft extends ServiceDraft, Values> {
  form: SchemaForm<Draft, Values>
  /** Of a new one: what it is asked next. The rest of the fields is folded, unless one is wrong. */
  beforeMore?: ReactNode
}

const more = ['description', 'category', 'icon', 'requestable'] as const

/** The fields of a service, both new and existing. */
export function ServiceFields<Draft extends ServiceDraft, Values>(props: ServiceFieldsProps<Draft, Values>) {
  const { beforeMore } = props
  // The form of a new service has more fields than these.
  const form = props.form as unknown as FormOf<typeof serviceForm>
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  const hasError = more.some((name) => form.field(name).error !== undefined)
  return (
    <>
      <Field {...form.field('name')}>
        <TextInput autoComplete="off" {...form.register('name')} />
      </Field>
      <Field {...form.field('url')} hint={t('webAddressHint')}>
        <TextInput type="url" autoComplete="off" spellCheck={false} {...form.register('url')} />
      </Field>
      {beforeMore === undefined ? (
        <MoreFields form={form} />
      ) : (
        <>
          {beforeMore}
          <details
            className={styles.more}
            open={open || hasError}
            onToggle={(event) => setOpen(event.currentTarget.open)}
          >
            <summary>{t('serviceMoreFields')}</summary>
            <div className={styles.moreFields}>
              <MoreFields form={form} />
            </div>
          </details>
        </>
      )}
    </>
  )
}

function MoreFields({ form }: { form: FormOf<typeof serviceForm> }) {
  const { t } = useTranslation()
  const categoriesId = useId()
  const categories = useQuery(query(services.categories)).data ?? []
  const { control } = form.form
  const name = useWatch({ control, name: 'name' })
  const icon = form.field('icon')
  return (
    <>
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
