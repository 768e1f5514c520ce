import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { users } from '#contract/users.ts'
import { useSave } from '#web/lib/use-save.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { toasts } from '#web/ui/toast-store.ts'

interface RemoveFromOrganizationProps {
  accountId: string
  name: string
  organization: { organizationId: string; name: string }
  onRemoved: () => void
}

/** Takes a person out of an organisation, with the services there; the account stays. */
export function RemoveFromOrganization({ accountId, name, organization, onRemoved }: RemoveFromOrganizationProps) {
  const { t } = useTranslation()
  const [asked, setAsked] = useState(false)
  const leave = useSave(users.leave)
  const texts = { name, organization: organization.name }
  const remove = () =>
    leave.mutate(
      { params: { userId: accountId, organizationId: organization.organizationId } },
      {
        onSuccess: () => {
          toasts.show({ tone: 'success', title: t('removeFromOrganizationDone', texts) })
          onRemoved()
        },
      },
    )
  return (
    <>
      <Button variant="ghost" onClick={() => setAsked(true)}>
        {t('removeFromOrganization')}
      </Button>
      <ConfirmDialog
        open={asked}
        title={t('removeFromOrganizationTitle', texts)}
        cancelLabel={t('cancel')}
        confirmLabel={t('remove')}
        loading={leave.isPending}
        onCancel={() => setAsked(false)}
        onConfirm={remove}
      >
        {t('removeFromOrganizationText')}
      </ConfirmDialog>
    </>
  )
}
