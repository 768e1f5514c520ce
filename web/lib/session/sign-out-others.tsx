import { useTranslation } from 'react-i18next'
import { profile } from '#contract/profile/profile.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { toasts } from '#web/ui/toast/toast-store.ts'

interface SignOutOthersProps {
  open: boolean
  /** Why it is offered now. */
  text: string
  /** @param done with false the person does not want to, or it failed */
  onClose: (done: boolean) => void
}

/** The question whether all other devices are signed out. */
export function SignOutOthers({ open, text, onClose }: SignOutOthersProps) {
  const { t } = useTranslation()
  const { mutate, isPending } = useSave(profile.endOtherSessions)
  const signOut = () =>
    mutate(undefined, {
      onSuccess: () => {
        toasts.show({ tone: 'success', title: t('otherDevicesSignedOut') })
        onClose(true)
      },
      onError: () => onClose(false),
    })
  return (
    <ConfirmDialog
      open={open}
      title={t('signOutOtherDevicesTitle')}
      cancelLabel={t('cancel')}
      confirmLabel={t('signOut')}
      loading={isPending}
      onCancel={() => onClose(false)}
      onConfirm={signOut}
    >
      {text}
    </ConfirmDialog>
  )
}
