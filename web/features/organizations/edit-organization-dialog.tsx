import { getRouteApi, Outlet, useParams } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { useCloseDialog } from '#web/lib/dialogs/dialog-route.ts'
import { LoadingDialog } from '#web/lib/dialogs/loading-dialog.tsx'
import { useCan } from '#web/lib/session/can.tsx'
import { EditOrganization } from './edit-organization.tsx'
import { ReadOrganization } from './read-organization.tsx'
import { useChoosable } from './use-choosable.ts'

const route = getRouteApi('/organization-settings/$organizationId')

export function EditOrganizationDialog() {
  const can = useCan()
  const { organizationId } = route.useParams()
  const { accountId } = useParams({ strict: false })
  const props = {
    organizationId,
    onClose: useCloseDialog('/organization-settings'),
    nested: <Outlet />,
    showPeople: Boolean(accountId),
  }
  return can('manageOrganizations') ? <Edit {...props} /> : <ReadOrganization {...props} />
}

function Edit({ organizationId, onClose: close, nested, showPeople }: ComponentProps<typeof ReadOrganization>) {
  const { t } = useTranslation()
  return (
    <LoadingDialog query={useChoosable(organizationId)} size="full" title={t('editOrganization')} onClose={close}>
      {(organization) => (
        <EditOrganization
          key={organizationId}
          organization={organization}
          onClose={close}
          nested={nested}
          showPeople={showPeople}
        />
      )}
    </LoadingDialog>
  )
}
