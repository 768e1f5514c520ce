import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Controller } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { samlConfigs } from '#contract/saml-configs.ts'
import { query } from '#web/lib/query.ts'
import { Field } from '#web/ui/field.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { asNumber } from './organization-draft.ts'
import type { OrganizationSchemaForm } from './settings-fields.tsx'

// What finds one of many while typing weighs as much as the rest of the dialog, and few organisations need it.
const Combobox = lazy(async () => ({ default: (await import('#web/ui/combobox.tsx')).Combobox }))

/** Which company sign-in, for an organisation that has one. */
export function SamlConfigField({ form }: { form: OrganizationSchemaForm }) {
  const { t } = useTranslation()
  const { data = [] } = useQuery(query(samlConfigs.list))
  return (
    <Controller
      control={form.form.control}
      name="samlConfigId"
      render={({ field: { value, onChange } }) => (
        <Field {...form.field('samlConfigId', t('samlConfig'))}>
          <Suspense fallback={<Skeleton shape="control" />}>
            <Combobox
              options={data.map(({ id, name, domain }) => ({ value: String(id), label: name, hint: domain }))}
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
