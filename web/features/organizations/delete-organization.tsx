import { useTranslation } from 'react-i18next'
import { type Organization, organizations } from '#contract/organizations.ts'
import { DeleteFlow } from '#web/lib/delete-flow.tsx'
import { useSave } from '#web/lib/use-save.ts'

interface DeleteOrganizationProps {
  organization: Pick<Organization, 'organizationId' | 'name'>
  onDeleted: () => void
}

export function DeleteOrganization({ organization, onDeleted }: DeleteOrganizationProps) {
  const { t } = useTranslation()
  const { organizationId: id, name } = organization
  const { mutateAsync } = useSave(organizations.remove, { inline: true })
  return (
    <DeleteFlow
      name={name}
      text={t('deleteOrganizationText')}
      inUse={{
        message: 'organizationNotEmpty',
        title: t('deleteOrganizationNotEmptyTitle', { name }),
        text: t('deleteOrganizationNotEmptyText'),
      }}
      remove={(force) => mutateAsync({ params: { id }, query: force ? { force: 'true' } : {} })}
      onDeleted={onDeleted}
    />
  )
}
