import { useQuery } from '@tanstack/react-query'
import { createLink } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Membership } from '#contract/session/session.ts'
import type { User } from '#contract/users/users.ts'
import type { CloseDialog } from '#web/lib/dialogs/dialog-route.ts'
import { LoadingDialog } from '#web/lib/dialogs/loading-dialog.tsx'
import { useCan } from '#web/lib/session/can.tsx'
import { useSignedIn } from '#web/lib/session/signed-in.tsx'
import { Button, LinkButton } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { FormActions } from '#web/ui/frame/page.tsx'
import { readUser } from './read-user.ts'
import { nameOf } from './user-name.ts'
import { userAdministrationSearch } from './users-search.ts'

const WayLink = createLink(LinkButton)

interface PersonElsewhereProps {
  accountId: string
  /** The organisation in which the user was opened. */
  organization: Membership
  onClose: CloseDialog
}

/** The user does not belong to this organisation: links to the places where the admin finds the user. */
export function PersonElsewhere({ accountId, organization, onClose }: PersonElsewhereProps) {
  const { t } = useTranslation()
  return (
    <LoadingDialog query={useQuery(readUser({ accountId }))} title={t('editUser')} onClose={onClose}>
      {(user) => <Ways user={user} organization={organization} onClose={onClose} />}
    </LoadingDialog>
  )
}

function Ways({ user, organization, onClose }: { user: User } & Omit<PersonElsewhereProps, 'accountId'>) {
  const { t } = useTranslation()
  const can = useCan()
  const { organizations = [] } = useSignedIn()
  const { accountId, email } = user
  const theirs = new Set(user.organizations.map((one) => one.organizationId))
  const shared = organizations.filter((own) => theirs.has(own.organizationId) && can('administerUsers', own))
  const name = nameOf(user)
  return (
    <Dialog
      open
      size="small"
      title={name}
      subtitle={email !== name && email}
      closeLabel={t('close')}
      onClose={onClose}
      footer={<Button onClick={() => onClose()}>{t('close')}</Button>}
    >
      <p>{t('personNotHere', { name: organization.name })}</p>
      {shared.length > 0 && <p>{t('personElsewhere')}</p>}
      <FormActions>
        {shared.map(({ organizationId, name: place }) => (
          <WayLink
            key={organizationId}
            to="/user-administration/$accountId"
            params={{ accountId }}
            search={userAdministrationSearch({})}
            state={{ inOrganization: organizationId }}
            replace
            full
          >
            {t('switchToOrganization', { name: place })}
          </WayLink>
        ))}
        {shared.length === 0 && can('manageUsers') && (
          <WayLink to="/users/$accountId" params={{ accountId }} replace full>
            {t('openAmongAllUsers')}
          </WayLink>
        )}
      </FormActions>
    </Dialog>
  )
}
