import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { LoginMethod } from '#contract/roles.ts'
import { samlConfigs } from '#contract/saml-configs/saml-configs.ts'
import type { Describe } from '#web/lib/forms/changed-by-others.tsx'
import { query } from '#web/lib/requests/query.ts'
import { useLoginMethodName } from '#web/lib/texts/login-methods.ts'
import type { Choosable } from './organization-draft.ts'

/** Labels and texts of changed fields, for the dialog that resolves conflicts. */
export function useDescribe({ offered }: Choosable): Describe {
  const { t } = useTranslation()
  const methodName = useLoginMethodName()
  const { data: configs = [] } = useQuery(query(samlConfigs.list))
  return (path, value) => {
    const [group = '', serviceId, part] = path.split('.')
    if (group === 'services') {
      const name = offered.find((service) => service.serviceId === serviceId)?.name ?? ''
      if (part === 'chosen') return { field: name, text: t(value ? 'serviceChosen' : 'serviceNotChosen') }
      if (part === 'atFirstSignIn')
        return { field: t('serviceAtFirstSignInFor', { name }), text: t(value ? 'switchedOn' : 'switchedOff') }
      return { field: t('maxNumberOfUsersFor', { name }), text: value ? String(value) : t('unlimited') }
    }
    if (group === 'loginMethod') return { text: methodName(value as LoginMethod) }
    if (group === 'samlConfigId') return { text: configs.find(({ id }) => id === value)?.name ?? '' }
    return {}
  }
}
