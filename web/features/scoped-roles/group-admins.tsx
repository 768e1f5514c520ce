import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { scopedRoles } from '#contract/scoped-roles/scoped-roles.ts'
import { query } from '#web/lib/requests/query.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { useOrganizationName } from '#web/lib/session/use-organization-name.ts'
import { PartHolders } from './part-holders.tsx'

/** Who puts people in a group beside those who manage it. */
export function GroupAdmins({ groupId, organizationId }: { groupId: string; organizationId: string }) {
  const { t } = useTranslation()
  const params = { id: groupId }
  const name = useSave(scopedRoles.nameGroupAdmin, { inline: true })
  const dismiss = useSave(scopedRoles.dismissGroupAdmin)
  return (
    <PartHolders
      title={t('groupAdmins')}
      text={t('groupAdminsText')}
      emptyText={t('noGroupAdmins')}
      role={t('groupAdmin')}
      nameLabel={t('nameGroupAdmin')}
      organization={useOrganizationName(organizationId)}
      holders={useQuery(query(scopedRoles.groupAdmins, { params })).data}
      name={(input) => name.mutateAsync({ params, input })}
      dismiss={(accountId) => dismiss.mutateAsync({ params: { ...params, accountId } })}
    />
  )
}
