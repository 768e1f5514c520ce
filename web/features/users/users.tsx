import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { organizations } from '#contract/organizations.ts'
import { ApiProblem } from '#web/lib/api-problem.ts'
import { useCan } from '#web/lib/can.tsx'
import type { CloseDialog } from '#web/lib/dialog-route.ts'
import { LoadingDialog } from '#web/lib/loading-dialog.tsx'
import { query } from '#web/lib/query.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { CreateUser } from './create-user.tsx'
import { EditUser } from './edit-user.tsx'
import { OrganizationPeople } from './organization-people.tsx'
import { readUser } from './read-user.ts'

interface EditUserDialogProps {
  accountId: string
  /** From where the person was opened: their organisation, and the service in it. */
  organizationId?: string | undefined
  serviceId?: string | undefined
  /** Of a dialog below this one, which on small screens this one replaces: how the way back to it is called. */
  backLabel?: string | undefined
  /** What to show where that person is not; without it, that there is nobody. */
  otherwise?: ReactNode
  onClose: CloseDialog
}

/** A person, opened from any list. */
export function EditUserDialog(props: EditUserDialogProps) {
  const { accountId, organizationId, serviceId, backLabel, otherwise, onClose } = props
  const { t } = useTranslation()
  const context = { accountId, organizationId, serviceId }
  const found = useQuery(readUser(context))
  if (otherwise && found.error instanceof ApiProblem && found.error.status === 404) return otherwise
  return (
    <LoadingDialog query={found} title={t('editUser')} backLabel={backLabel} onClose={onClose}>
      {(user) => <EditUser key={accountId} user={user} context={context} backLabel={backLabel} onClose={onClose} />}
    </LoadingDialog>
  )
}

interface CreateUserDialogProps {
  /** The organisation that the new person is to belong to, unless somebody chooses otherwise. */
  organizationId?: string | undefined
  onClose: CloseDialog
}

/** A new person, for super users; an organisation admin who comes by the address is told what to do instead. */
export function CreateUserDialog({ organizationId, onClose }: CreateUserDialogProps) {
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

/** The people of an organisation, for its dialog. */
export function PeopleOfOrganization({ organization }: { organization: { organizationId: string; name: string } }) {
  return <OrganizationPeople organization={organization} />
}
