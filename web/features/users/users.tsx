import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { CloseDialog } from '#web/lib/dialogs/dialog-route.ts'
import { LoadingDialog } from '#web/lib/dialogs/loading-dialog.tsx'
import { ApiProblem } from '#web/lib/requests/api-problem.ts'
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

/** The users of an organisation, for its dialog. */
export function PeopleOfOrganization({ organization }: { organization: { organizationId: string; name: string } }) {
  return <OrganizationPeople organization={organization} />
}
