import { useTranslation } from 'react-i18next'
import { isLocal } from '#contract/user-forms.ts'
import { type User, users } from '#contract/users.ts'
import { DeleteFlow } from '#web/lib/delete-flow.tsx'
import type { CloseDialog } from '#web/lib/dialog-route.ts'
import { useSave } from '#web/lib/use-save.ts'
import { RemoveFromOrganization } from './remove-from-organization.tsx'
import { ResetPassword } from './reset-password.tsx'
import type { UserAbilities } from './use-abilities.ts'
import styles from './user-dialog.module.css'
import { nameOf } from './user-draft.ts'

interface UserActionsProps {
  user: User
  may: UserAbilities
  /** The organisation that the person was opened from. */
  organization: { organizationId: string; name: string } | undefined
  onClose: CloseDialog
}

/** What can be done with a person besides changing them. */
export function UserActions({ user, may, organization, onClose }: UserActionsProps) {
  const { t } = useTranslation()
  const erase = useSave(users.remove, { inline: true })
  const { accountId } = user
  const name = nameOf(user)
  const gone = () => onClose({ saved: true })
  return (
    <div className={styles.actions}>
      {may.manage && !may.own && (
        <DeleteFlow
          name={name}
          text={t('deleteUserText')}
          remove={() => erase.mutateAsync({ params: { id: accountId } })}
          onDeleted={gone}
        />
      )}
      {organization && !may.manage && (
        <RemoveFromOrganization accountId={accountId} name={name} organization={organization} onRemoved={gone} />
      )}
      {may.administer && !user.pending && isLocal(user.loginMethod) && <ResetPassword email={user.email} />}
    </div>
  )
}
