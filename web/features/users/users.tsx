import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { CloseDialog } from '#web/lib/dialog-route.ts'
import { LoadingDialog } from '#web/lib/loading-dialog.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { OrganizationPeople } from './organization-people.tsx'
import { readUser } from './read-user.ts'

export interface EditUserDialogProps {
  accountId: string
  /** From where the person was opened: their organisation, and the service in it. */
  organizationId?: string | undefined
  serviceId?: string | undefined
  onClose: CloseDialog
}

/** A person, opened from any list. */
export function EditUserDialog({ accountId, organizationId, serviceId, onClose }: EditUserDialogProps) {
  const { t } = useTranslation()
  const user = useQuery(readUser({ accountId, organizationId, serviceId }))
  return (
    <LoadingDialog query={user} title={t('editUser')} onClose={onClose}>
      {({ email }) => (
        <Dialog
          open
          title={t('editUser')}
          subtitle={email}
          closeLabel={t('close')}
          onClose={onClose}
          footer={<Button onClick={() => onClose()}>{t('close')}</Button>}
        >
          {null}
        </Dialog>
      )}
    </LoadingDialog>
  )
}

export interface CreateUserDialogProps {
  /** The organisation that the new person is to belong to, unless somebody chooses otherwise. */
  organizationId?: string | undefined
  onClose: CloseDialog
}

/** A new person, for super users. */
export function CreateUserDialog({ onClose }: CreateUserDialogProps) {
  const { t } = useTranslation()
  return (
    <Dialog
      open
      title={t('createUser')}
      closeLabel={t('close')}
      onClose={onClose}
      footer={<Button onClick={() => onClose()}>{t('close')}</Button>}
    >
      {null}
    </Dialog>
  )
}

/** The people of an organisation, for its dialog. */
export function PeopleOfOrganization({ organization }: { organization: { organizationId: string; name: string } }) {
  return <OrganizationPeople organization={organization} />
}
