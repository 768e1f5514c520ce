import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Controller, type FieldValues, type Path } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { samlConfigs } from '#contract/saml-configs/saml-configs.ts'
import { query } from '#web/lib/requests/query.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { asNumber, type SchemaForm } from './form.ts'

// What finds one of many while typing weighs as much as the rest of a dialog, and few need it.
const Combobox = lazy(async () => ({ default: (await import('#web/ui/fields/combobox.tsx')).Combobox }))

/** Which company sign-in, for an organisation or a person that has one. */
export function SamlConfigField<Draft extends FieldValues, Values>({ form }: { form: SchemaForm<Draft, Values> }) {
  const { t } = useTranslation()
  const { data = [] } = useQuery(query(samlConfigs.list))
  const path = 'samlConfigId' as Path<Draft>
  return (
    <Controller
      control={form.form.control}
      name={path}
      render={({ field: { value, onChange } }) => (
        <Field {...form.field(path)}>
          <Suspense fallback={<Skeleton shape="control" />}>
            <Combobox
              options={data.map(({ id, name, domain, active }) => ({
                value: String(id),
                label: name,
                hint: active ? domain : `${domain} · ${t('samlConfigOff')}`,
              }))}
              value={value ? String(value) : null}
              onChange={(id) => onChange(asNumber(id))}
              placeholder={t('chooseSamlConfig')}
              emptyText={t('noSamlConfigs')}
              clearLabel={t('clearChoice')}
              openLabel={t('showChoices')}
            />
          </Suspense>
        </Field>
      )}
    />
  )
}
