import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { EditUserDialog } from '#web/features/users/users.tsx'
import { useCloseDialog } from '#web/lib/dialogs/dialog-route.ts'

const route = getRouteApi('/organization-settings/$organizationId/$accountId')

/** A user of the organisation, in a dialog above it. */
export function OrganizationUserDialog() {
  const { t } = useTranslation()
  const { organizationId, accountId } = route.useParams()
  const close = useCloseDialog('/organization-settings/$organizationId')
  return (
    <EditUserDialog
      key={accountId}
      accountId={accountId}
      organizationId={organizationId}
      backLabel={t('back')}
      onClose={close}
    />
  )
}
