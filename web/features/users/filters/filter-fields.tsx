import { useTranslation } from 'react-i18next'
import type { LoginMethod } from '#contract/roles.ts'
import type { UserFilters, UserStatusName } from '#contract/users/user-filters.ts'
import { useGroups } from '#web/features/groups/groups.tsx'
import { DayField } from '#web/lib/forms/day-field.tsx'
import { OrganizationField } from '#web/lib/forms/organization-field.tsx'
import { useLoginMethodChoices } from '#web/lib/texts/login-methods.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { useFilterTexts } from './filter-texts.ts'
import styles from './filters.module.css'
import { useFilterRoles } from './use-filter-roles.ts'
import { type FilteredList, useFilterServices } from './use-filter-services.ts'

interface FilterFieldsProps {
  /** Which list: an organisation's, or that of all users. */
  of: FilteredList
  filters: UserFilters
  onChange: (changed: UserFilters) => void
}

/** A field for each filter. A choice takes effect immediately. */
export function FilterFields({ of, filters, onChange }: FilterFieldsProps) {
  const { t } = useTranslation()
  const { statuses } = useFilterTexts()
  const methods = useLoginMethodChoices()
  const services = useFilterServices(of)
  const groups = useGroups(of?.organizationId)
  const roles = useFilterRoles(of)
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
      <Choice label={t('role')} value={filters.role} options={roles} onChoose={(role) => onChange({ role })} />
      {!of && (
        <OrganizationField value={filters.organizationId} onChoose={(organizationId) => onChange({ organizationId })} />
      )}
      <Choice
        label={t('service')}
        value={filters.serviceId}
        options={services.map(({ serviceId, name }) => [serviceId, name])}
        onChoose={(serviceId) => onChange({ serviceId })}
      />
      {groups.length > 0 && (
        <Choice
          label={t('group')}
          value={filters.groupId}
          options={groups.map(({ groupId, name }) => [groupId, name])}
          onChoose={(groupId) => onChange({ groupId })}
        />
      )}
      <DayField
        key={filters.lastActiveBefore}
        label={t('lastActiveBefore')}
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
