import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { organizations } from '#contract/organizations.ts'
import type { LoginMethod } from '#contract/roles.ts'
import type { ListedRole, UserFilters, UserStatusName } from '#contract/user-filters.ts'
import { useLoginMethodChoices } from '#web/lib/login-methods.ts'
import { query } from '#web/lib/query.ts'
import { useSearchText } from '#web/lib/use-search-text.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useFilterTexts } from './filter-texts.ts'
import styles from './filters.module.css'
import { type FilteredList, useFilterServices } from './use-filter-services.ts'

// Loaded on demand, as in the dialog of a user.
const Combobox = lazy(async () => ({ default: (await import('#web/ui/fields/combobox.tsx')).Combobox }))

interface FilterFieldsProps {
  /** Which list: an organisation's, or that of all users. */
  of: FilteredList
  filters: UserFilters
  onChange: (changed: UserFilters) => void
}

/** A field for each filter. A choice takes effect immediately. */
export function FilterFields({ of, filters, onChange }: FilterFieldsProps) {
  const { t } = useTranslation()
  const { statuses, roles } = useFilterTexts()
  const methods = useLoginMethodChoices()
  const services = useFilterServices(of)
  const roleChoices = Object.entries(roles).filter(([role]) => !of || role !== 'superUser')
  return (
    <div className={styles.fields}>
      <Choice
        label={t('userStatus')}
        value={filters.status}
        options={Object.entries(statuses)}
        onChoose={(status) => onChange({ status: status as UserStatusName | undefined })}
      />
      <Choice
        label={t('loginMethod')}
        value={filters.loginMethod}
        options={methods.map(({ value, label }) => [value, label])}
        onChoose={(method) => onChange({ loginMethod: method as LoginMethod | undefined })}
      />
      <Choice
        label={t('role')}
        value={filters.role}
        options={roleChoices}
        onChoose={(role) => onChange({ role: role as ListedRole | undefined })}
      />
      {!of && (
        <OrganizationField value={filters.organizationId} onChoose={(organizationId) => onChange({ organizationId })} />
      )}
      <Choice
        label={t('service')}
        value={filters.serviceId}
        options={services.map(({ serviceId, name }) => [serviceId, name])}
        onChoose={(serviceId) => onChange({ serviceId })}
      />
      <DayField
        key={filters.lastActiveBefore}
        value={filters.lastActiveBefore}
        onChoose={(lastActiveBefore) => onChange({ lastActiveBefore })}
      />
    </div>
  )
}

interface ChoiceProps {
  label: string
  value: string | undefined
  options: readonly (readonly [value: string, label: string])[]
  onChoose: (value: string | undefined) => void
}

function Choice({ label, value = '', options, onChoose }: ChoiceProps) {
  const { t } = useTranslation()
  return (
    <Field label={label}>
      <Select value={value} onChange={(event) => onChoose(event.target.value || undefined)}>
        <option value="">{t('filterAny')}</option>
        {options.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </Select>
    </Field>
  )
}

interface OneFieldProps {
  value: string | undefined
  onChoose: (value: string | undefined) => void
}

function OrganizationField({ value, onChoose }: OneFieldProps) {
  const { t } = useTranslation()
  const [searchQuery, setSearchQuery] = useState('')
  const [, search] = useSearchText(searchQuery, setSearchQuery)
  const found = useQuery(query(organizations.list, { query: { searchQuery: searchQuery.slice(0, 200) } }))
  const chosen = useQuery({ ...query(organizations.read, { params: { id: value ?? '' } }), enabled: Boolean(value) })
  const known = [...(value && chosen.data ? [chosen.data] : []), ...(found.data?.items ?? [])]
  const options = [...new Map(known.map((one) => [one.organizationId, one])).values()]
  return (
    <Field label={t('organization')}>
      <Suspense fallback={<Skeleton shape="control" />}>
        <Combobox
          options={options.map(({ organizationId, name }) => ({ value: organizationId, label: name }))}
          value={value ?? null}
          onChange={(next) => onChoose(next ?? undefined)}
          onSearch={search}
          placeholder={t('filterAny')}
          emptyText={t('noOrganizationMatches')}
          clearLabel={t('clearChoice')}
          openLabel={t('showChoices')}
        />
      </Suspense>
    </Field>
  )
}

/** Takes effect when the day is complete: while a year is typed, the browser reports years such as 0002. */
function DayField({ value = '', onChoose }: OneFieldProps) {
  const { t } = useTranslation()
  const [text, setText] = useState(value)
  const commit = (day: string) => {
    if (day !== value && (day === '' || day >= '1900')) onChoose(day || undefined)
  }
  return (
    <Field label={t('lastActiveBefore')}>
      <TextInput
        type="date"
        min="1900-01-01"
        max="9999-12-31"
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          if (event.target.value >= '1900') commit(event.target.value)
        }}
        onBlur={() => commit(text)}
      />
    </Field>
  )
}
