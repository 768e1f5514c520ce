import UserMinus from 'lucide-react/icons/user-minus'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { UserSummary } from '#contract/users/user-summary.ts'
import { users } from '#contract/users/users.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { toasts } from '#web/ui/toast/toast-store.ts'

interface TakeBackServiceProps {
  organizationId: string
  service: { serviceId: string; name: string }
  user: UserSummary
}

/** The button of a row, with its confirmation. */
export function TakeBackService({ organizationId, service, user }: TakeBackServiceProps) {
  const { t } = useTranslation()
  const [asked, setAsked] = useState(false)
  const takeBack = useSave(users.revokeService)
  const name = [user.firstName, user.lastName].filter(Boolean).join(' ') || user.email
  const texts = { name, service: service.name }
  const params = { organizationId, serviceId: service.serviceId, accountId: user.accountId }
  const confirm = () =>
    takeBack.mutate(
      { params },
      {
        onSuccess: () => toasts.show({ tone: 'success', title: t('serviceTakenBack', texts) }),
        onSettled: () => setAsked(false),
      },
    )
  return (
    <>
      <IconButton icon={UserMinus} label={t('takeServiceBackFrom', texts)} onClick={() => setAsked(true)} />
      <ConfirmDialog
        open={asked}
        title={t('takeServiceBackTitle', texts)}
        cancelLabel={t('cancel')}
        confirmLabel={t('takeServiceBack')}
        loading={takeBack.isPending}
        onCancel={() => setAsked(false)}
        onConfirm={confirm}
      >
        {t('takeServiceBackText', texts)}
      </ConfirmDialog>
    </>
  )
}
