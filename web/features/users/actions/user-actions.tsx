import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { isLocal } from '#contract/users/user-forms.ts'
import { type User, users } from '#contract/users/users.ts'
import { WhatTheyMade } from '#web/features/organization-roles/organization-roles.tsx'
import { DeleteFlow } from '#web/lib/dialogs/delete-flow.tsx'
import type { CloseDialog } from '#web/lib/dialogs/dialog-route.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import type { UserAbilities } from '../use-abilities.ts'
import styles from '../user-dialog.module.css'
import { nameOf } from '../user-name.ts'
import { RemoveFromOrganization } from './remove-from-organization.tsx'
import { ResetPassword } from './reset-password.tsx'

// Few people have lost every factor.
const RecoverUser = lazy(async () => ({ default: (await import('./recover-user.tsx')).RecoverUser }))

interface UserActionsProps {
  user: User
  may: UserAbilities
  /** The organisation from which the user was opened. */
  organization: { organizationId: string; name: string } | undefined
  onClose: CloseDialog
}

/** Actions on a user other than editing: delete, remove from the organisation, reset the password. */
export function UserActions({ user, may, organization, onClose }: UserActionsProps) {
  const { t } = useTranslation()
  const erase = useSave(users.remove, { inline: true })
  const { accountId } = user
  const name = nameOf(user)
  return (
    <div className={styles.actions}>
      {may.manage && !may.own && (
        <DeleteFlow
          name={name}
          text={
            <>
              {t('deleteUserText')}
              <WhatTheyMade accountId={accountId} />
            </>
          }
          remove={() => erase.mutateAsync({ params: { id: accountId } })}
          onClose={onClose}
        />
      )}
      {organization && !may.manage && (
        <RemoveFromOrganization
          accountId={accountId}
          name={name}
          organization={organization}
          invited={may.invited}
          onRemoved={() => onClose({ saved: true })}
        />
      )}
      {/* Of a person of several organisations, the method is not shown: the mail says it to the person. */}
      {may.administer && !user.pending && !user.awaitsSignIn && (!user.loginMethod || isLocal(user.loginMethod)) && (
        <ResetPassword email={user.email} />
      )}
      {may.recover && !may.invited && user.loginMethod && isLocal(user.loginMethod) && (
        <Suspense>
          <RecoverUser user={user} />
        </Suspense>
      )}
    </div>
  )
}
