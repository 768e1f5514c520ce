import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { MessageKey } from '#contract/message-key.ts'
import type { LoginMethod } from '#contract/roles.ts'
import { samlConfigs } from '#contract/saml-configs/saml-configs.ts'
import type { Describe } from '#web/lib/forms/changed-by-others.tsx'
import { query } from '#web/lib/requests/query.ts'
import { useCan } from '#web/lib/session/can.tsx'
import { dayText } from '#web/lib/texts/dates.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { languageNames } from '#web/lib/texts/language.ts'
import { useLoginMethodName } from '#web/lib/texts/login-methods.ts'

const roles: Record<string, MessageKey> = {
  regular: 'roleRegular',
  organizationAdmin: 'roleOrganizationAdmin',
  serviceAdmin: 'roleServiceAdmin',
}

const days: Record<string, MessageKey> = {
  validFrom: 'firstDay',
  validUntil: 'lastDay',
  roleFrom: 'roleFrom',
  roleUntil: 'roleUntil',
}

/** Labels and texts of changed fields, for the dialog that resolves conflicts. */
export function useDescribeUser(names: Map<string, string>): Describe {
  const { t } = useTranslation()
  const can = useCan()
  const language = useLanguage()
  const methodName = useLoginMethodName()
  const { data: configs = [] } = useQuery({ ...query(samlConfigs.list), enabled: can('manageSamlConfigs') })
  return (path, value) => {
    const [group = '', key = ''] = path.split('.')
    const role = t(roles[String(value)] ?? 'roleNone')
    if (group === 'roles') return { field: names.get(key) ?? '', text: role }
    if (group === 'days') {
      const [name = '', ...ids] = key.split('_')
      const places = ids.map((id) => names.get(id)).reverse()
      const day = value ? dayText(String(value), language, 'full') : t('emptyValue')
      return { field: [...places, t(days[name] ?? 'period')].join(', '), text: day }
    }
    if (group === 'services') {
      const [organization = '', service = ''] = key.split('_')
      return { field: `${names.get(service)}, ${names.get(organization)}`, text: role }
    }
    if (group === 'loginMethod') return { text: methodName(value as LoginMethod) }
    if (group === 'samlConfigId') return { text: configs.find(({ id }) => id === value)?.name ?? '' }
    if (typeof value === 'boolean') return { text: t(value ? 'switchedOn' : 'switchedOff') }
    if (group === 'preferredLanguage')
      return { text: languageNames.find((one) => one.value === value)?.name ?? t('preferredLanguageNone') }
    return {}
  }
}
