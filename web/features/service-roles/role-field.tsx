import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { organizations } from '#contract/organizations/organizations.ts'
import { serviceRoles } from '#contract/service-roles/service-roles.ts'
import { query } from '#web/lib/requests/query.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { useRoleTexts } from './role-texts.ts'

/** Whether any service of an organisation has roles; false without an organisation. */
export function useHasServiceRoles(organizationId: string | undefined): boolean {
  const { data } = useQuery({
    ...query(serviceRoles.ofOrganization, { params: { organizationId: organizationId ?? '' } }),
    enabled: organizationId !== undefined,
  })
  return (data?.length ?? 0) > 0
}

interface RoleFieldProps {
  organizationId: string
  value: string | undefined
  onChoose: (roleId: string | undefined) => void
}

/** Chooses one of the roles of an organisation's services. */
export function RoleField({ organizationId, value = '', onChoose }: RoleFieldProps) {
  const { t } = useTranslation()
  const textsOf = useRoleTexts()
  const roles = useQuery(query(serviceRoles.ofOrganization, { params: { organizationId } })).data ?? []
  const services = useQuery(query(organizations.services, { params: { id: organizationId } })).data ?? []
  return (
    <Field label={t('role')}>
      <Select value={value} onChange={(event) => onChoose(event.target.value || undefined)}>
        <option value="">{t('chooseRole')}</option>
        {services
          .filter(({ serviceId }) => roles.some((role) => role.serviceId === serviceId))
          .map(({ serviceId, name }) => (
            <optgroup key={serviceId} label={name}>
              {roles
                .filter((role) => role.serviceId === serviceId)
                .map((role) => (
                  <option key={role.roleId} value={role.roleId}>
                    {textsOf(role).name}
                  </option>
                ))}
            </optgroup>
          ))}
      </Select>
    </Field>
  )
}
