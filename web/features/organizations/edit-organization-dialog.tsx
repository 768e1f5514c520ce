import { getRouteApi, Outlet, useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useCloseDialog } from '#web/lib/dialogs/dialog-route.ts'
import { LoadingDialog } from '#web/lib/dialogs/loading-dialog.tsx'
import { EditOrganization } from './edit-organization.tsx'
import { useChoosable } from './use-choosable.ts'

const route = getRouteApi('/organization-settings/$organizationId')

export function EditOrganizationDialog() {
  const { t } = useTranslation()
  const { organizationId } = route.useParams()
  const { accountId } = useParams({ strict: false })
  const close = useCloseDialog('/organization-settings')
  return (
    <LoadingDialog query={useChoosable(organizationId)} size="full" title={t('editOrganization')} onClose={close}>
      {(organization) => (
        <EditOrganization
          key={organizationId}
          organization={organization}
          onClose={close}
          nested={<Outlet />}
          showPeople={Boolean(accountId)}
        />
      )}
    </LoadingDialog>
  )
}
