import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { MessageKey } from '#contract/message-key.ts'
import type { LoginMethod } from '#contract/roles.ts'
import { samlConfigs } from '#contract/saml-configs.ts'
import type { Describe } from '#web/lib/changed-by-others.tsx'
import { useLoginMethodName } from '#web/lib/login-methods.ts'
import { query } from '#web/lib/query.ts'
import type { Choosable } from './organization-draft.ts'

const labels: Record<string, MessageKey> = {
  organizationNumber: 'organizationNumber',
  loginMethod: 'loginMethod',
  samlConfigId: 'samlConfig',
  maxPassiveDays: 'maxPassiveDays',
}

/** The fields of an organisation, and their values, as a person reads them. */
export function useDescribe({ offered }: Choosable): Describe {
  const { t } = useTranslation()
  const methodName = useLoginMethodName()
  const { data: configs = [] } = useQuery(query(samlConfigs.list))
  return (path, value) => {
    const [group = '', serviceId, part] = path.split('.')
    if (group === 'services') {
      const name = offered.find((service) => service.serviceId === serviceId)?.name ?? ''
      if (part === 'chosen') return { field: name, text: t(value ? 'serviceChosen' : 'serviceNotChosen') }
      return { field: t('maxNumberOfUsersFor', { name }), text: value ? String(value) : t('unlimited') }
    }
    const field = t(labels[group] ?? 'name')
    if (group === 'loginMethod') return { field, text: methodName(value as LoginMethod) }
    if (group === 'samlConfigId') return { field, text: configs.find(({ id }) => id === value)?.name ?? '' }
    return { field, text: String(value ?? '') }
  }
}
