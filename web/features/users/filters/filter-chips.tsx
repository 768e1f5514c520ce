import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { organizations } from '#contract/organizations/organizations.ts'
import type { UserFilters } from '#contract/users/user-filters.ts'
import { useGroups } from '#web/features/groups/groups.tsx'
import { query } from '#web/lib/requests/query.ts'
import { dayText } from '#web/lib/texts/dates.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { useLoginMethodName } from '#web/lib/texts/login-methods.ts'
import { Button } from '#web/ui/button.tsx'
import { Chip } from '#web/ui/chip.tsx'
import { useFilterTexts } from './filter-texts.ts'
import styles from './filters.module.css'
import { useFilterRoles } from './use-filter-roles.ts'
import { type FilteredList, useFilterServices } from './use-filter-services.ts'

interface FilterChipsProps {
  of: FilteredList
  filters: UserFilters
  onChange: (changed: UserFilters) => void
  onClear: () => void
}

/** The active filters, each with a button that removes it. */
export function FilterChips({ of, filters, onChange, onClear }: FilterChipsProps) {
  const { t } = useTranslation()
  const chips = useChips(of, filters)
  if (chips.length === 0) return null
  return (
    <ul className={styles.chips} aria-label={t('filtersInForce')}>
      {chips.map(({ name, text }) => (
        <li key={name}>
          <Chip removeLabel={t('removeFilter', { filter: text })} onRemove={() => onChange({ [name]: undefined })}>
            {text}
          </Chip>
        </li>
      ))}
      <li>
        <Button variant="ghost" size="small" onClick={onClear}>
          {t('clearFilters')}
        </Button>
      </li>
    </ul>
  )
}

function useChips(of: FilteredList, filters: UserFilters) {
  const { t } = useTranslation()
  const language = useLanguage()
  const { statuses } = useFilterTexts()
  const roleName = useFilterRoles(of).find(([value]) => value === filters.role)?.[1]
  const methodName = useLoginMethodName()
  const { status, loginMethod, role, organizationId, serviceId, groupId, lastActiveBefore } = filters
  const organization = useQuery({
    ...query(organizations.read, { params: { id: organizationId ?? '' } }),
    enabled: Boolean(organizationId),
  })
  const services = useFilterServices(of, Boolean(serviceId))
  const groupName = useGroups(of?.organizationId).find((one) => one.groupId === groupId)?.name
  const serviceName = services.find((one) => one.serviceId === serviceId)?.name
  const chip = (name: keyof UserFilters, label: string, value: string | undefined) => ({
    name,
    text: t('filterIs', { filter: label, value: value ?? '…' }),
  })
  return [
    status && chip('status', t('userStatus'), statuses[status]),
    loginMethod && chip('loginMethod', t('loginMethod'), methodName(loginMethod)),
    role && chip('role', t('role'), roleName),
    organizationId && chip('organizationId', t('organization'), organization.data?.name),
    serviceId && chip('serviceId', t('service'), serviceName),
    groupId && chip('groupId', t('group'), groupName),
    lastActiveBefore && {
      name: 'lastActiveBefore' as const,
      text: t('lastActiveBeforeDay', { day: dayText(lastActiveBefore, language, 'full') }),
    },
  ].filter((one) => !!one)
}
