import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { organizations } from '#contract/organizations/organizations.ts'
import type { CloseDialog } from '#web/lib/dialogs/dialog-route.ts'
import { LoadingDialog } from '#web/lib/dialogs/loading-dialog.tsx'
import { ApiProblem } from '#web/lib/requests/api-problem.ts'
import { query } from '#web/lib/requests/query.ts'
import { useCan } from '#web/lib/session/can.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { CreateUser } from './form/create-user.tsx'
import { EditUser } from './form/edit-user.tsx'
import { readUser } from './read-user.ts'

// The dialog of one user needs no list.
const OrganizationPeople = lazy(async () => ({
  default: (await import('./list/organization-people.tsx')).OrganizationPeople,
}))

interface EditUserDialogProps {
  accountId: string
  /** The organisation, and the service in it, from which the user was opened. */
  organizationId?: string | undefined
  serviceId?: string | undefined
  /** Names the dialog below this one, which this dialog replaces on small screens. */
  backLabel?: string | undefined
  /** Shown when the user is not found; "not found" by default. */
  otherwise?: ReactNode
  onClose: CloseDialog
}

/** A user, opened from any list. */
export function EditUserDialog(props: EditUserDialogProps) {
  const { accountId, organizationId, serviceId, backLabel, otherwise, onClose } = props
  const { t } = useTranslation()
  const context = { accountId, organizationId, serviceId }
  const missing = accountId.trim() === ''
  const asked = useQuery({ ...readUser(context), enabled: !missing })
  const found = missing ? { ...asked, error: new ApiProblem(404, 'noAccountIdProvided') } : asked
  if (otherwise && found.error instanceof ApiProblem && found.error.status === 404) return otherwise
  return (
    <LoadingDialog query={found} title={t('editUser')} backLabel={backLabel} onClose={onClose}>
      {(user) => <EditUser key={accountId} user={user} context={context} backLabel={backLabel} onClose={onClose} />}
    </LoadingDialog>
  )
}

interface CreateUserDialogProps {
  /** The preselected organisation of the new user. */
  organizationId?: string | undefined
  onClose: CloseDialog
}

/** Creates a user, for super users. An organisation admin who opens the address is pointed to invitations instead. */
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

/** The users of an organisation, for its dialog. */
export function PeopleOfOrganization({ organization }: { organization: { organizationId: string; name: string } }) {
  return <OrganizationPeople organization={organization} />
}
