import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { scopedRoles } from '#contract/scoped-roles/scoped-roles.ts'
import { query } from '#web/lib/requests/query.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { PartHolders } from './part-holders.tsx'

interface ServiceOwnersProps {
  serviceId: string
  organizationId: string
  /** Its name. */
  organization: string
}

/** Who is responsible for a service in an organisation. */
export function ServiceOwners({ serviceId, organizationId, organization }: ServiceOwnersProps) {
  const { t } = useTranslation()
  const params = { serviceId, organizationId }
  const name = useSave(scopedRoles.nameServiceOwner, { inline: true })
  const dismiss = useSave(scopedRoles.dismissServiceOwner)
  return (
    <PartHolders
      title={t('serviceOwners')}
      text={t('serviceOwnersText')}
      emptyText={t('noServiceOwners')}
      role={t('serviceOwner')}
      nameLabel={t('nameServiceOwner')}
      organization={organization}
      holders={useQuery(query(scopedRoles.serviceOwners, { params })).data}
      name={(input) => name.mutateAsync({ params, input })}
      dismiss={(accountId) => dismiss.mutateAsync({ params: { ...params, accountId } })}
    />
  )
}
