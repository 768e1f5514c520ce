import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { organizations } from '#contract/organizations/organizations.ts'
import { type CloseDialog, useCloseDialog } from '#web/lib/dialogs/dialog-route.ts'
import { LoadingDialog } from '#web/lib/dialogs/loading-dialog.tsx'
import { query } from '#web/lib/requests/query.ts'
import { useCan } from '#web/lib/session/can.tsx'
import { useCurrentOrganization } from '#web/lib/session/signed-in.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { CreateUser } from './form/create-user.tsx'

/** /users/create-user */
export function CreateAnyUser() {
  return <CreateUserDialog onClose={useCloseDialog('/users')} />
}

/** /user-administration/create-user */
export function CreateColleague() {
  const { id } = useCurrentOrganization()
  return <CreateUserDialog organizationId={id} onClose={useCloseDialog('/user-administration')} />
}

interface CreateUserDialogProps {
  /** The preselected organisation of the new user. */
  organizationId?: string | undefined
  onClose: CloseDialog
}

/** Creates a user, for super users. An organisation admin who opens the address is pointed to invitations instead. */
function CreateUserDialog({ organizationId, onClose }: CreateUserDialogProps) {
  const { t } = useTranslation()
  const can = useCan()
  const enabled = organizationId !== undefined && can('manageUsers')
  const organization = useQuery({ ...query(organizations.read, { params: { id: organizationId ?? '' } }), enabled })
  const title = t('createUser')
  if (!can('manageUsers'))
    return (
      <Dialog
        open
        size="small"
        title={title}
        closeLabel={t('close')}
        onClose={onClose}
        footer={<Button onClick={() => onClose()}>{t('close')}</Button>}
      >
        <p>{t('createUserForSuperUsers')}</p>
      </Dialog>
    )
  if (!organizationId) return <CreateUser onClose={onClose} />
  return (
    <LoadingDialog query={organization} title={title} onClose={onClose}>
      {(one) => <CreateUser organization={one} onClose={onClose} />}
    </LoadingDialog>
  )
}
