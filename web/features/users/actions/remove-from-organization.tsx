import UserMinus from 'lucide-react/icons/user-minus'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { users } from '#contract/users/users.ts'
import { WhatTheyMade } from '#web/features/organization-roles/organization-roles.tsx'
import { useSave } from '#web/lib/requests/use-save.ts'
import { problemText } from '#web/lib/texts/problem-text.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { toasts } from '#web/ui/toast/toast-store.ts'
import { useLastAdmin } from './last-admin.tsx'

interface RemoveFromOrganizationProps {
  accountId: string
  name: string
  organization: { organizationId: string; name: string }
  /** The user has not accepted yet, so the invitation is withdrawn. */
  invited: boolean
  onRemoved: () => void
}

/** Removes a user and the user's services from an organisation; the account stays. */
export function RemoveFromOrganization(props: RemoveFromOrganizationProps) {
  const { accountId, name, organization, invited, onRemoved } = props
  const { t } = useTranslation()
  const [asked, setAsked] = useState(false)
  const leave = useSave(users.leave, { inline: true })
  const lastAdmin = useLastAdmin()
  const values = { name, organization: organization.name }
  const texts = invited
    ? {
        button: t('withdrawInvitation'),
        title: t('withdrawInvitationTitle', { name }),
        text: t('withdrawInvitationText'),
        confirm: t('withdrawInvitation'),
        done: t('invitationWithdrawn', { name }),
      }
    : {
        button: t('removeFromOrganization'),
        title: t('removeFromOrganizationTitle', values),
        text: t('removeFromOrganizationText'),
        confirm: t('remove'),
        done: t('removeFromOrganizationDone', values),
      }
  const params = { userId: accountId, organizationId: organization.organizationId }
  const remove = async () => {
    const removed = await lastAdmin
      .sure(organization.name, (query) =>
        leave.mutateAsync({ params, query }).catch((error: unknown) => {
          // The next question comes in place of this one.
          setAsked(false)
          throw error
        }),
      )
      .catch((error: Error) => {
        // A failed delete is shown as a toast.
        toasts.show({ tone: 'danger', title: problemText(error) })
        return false
      })
    if (!removed) return
    toasts.show({ tone: 'success', title: texts.done })
    onRemoved()
  }
  return (
    <>
      <Button variant="risky" icon={UserMinus} onClick={() => setAsked(true)}>
        {texts.button}
      </Button>
      <ConfirmDialog
        open={asked}
        title={texts.title}
        cancelLabel={t('cancel')}
        confirmLabel={texts.confirm}
        loading={leave.isPending}
        onCancel={() => setAsked(false)}
        onConfirm={() => void remove()}
      >
        {texts.text}
        {asked && !invited && <WhatTheyMade accountId={accountId} organizationId={organization.organizationId} />}
      </ConfirmDialog>
      {lastAdmin.dialog}
    </>
  )
}
