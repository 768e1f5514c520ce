import Trash2 from 'lucide-react/icons/trash'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { MessageKey } from '#contract/message-key.ts'
import { ApiProblem } from '#web/lib/requests/api-problem.ts'
import { messageText } from '#web/lib/texts/i18n.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { toasts } from '#web/ui/toast/toast-store.ts'
import type { CloseDialog } from './dialog-route.ts'

interface DeleteFlowProps {
  name: string
  /** What goes, in a sentence. */
  text: ReactNode
  /** What the server says when something hangs on it, and what is asked then. */
  inUse?: { message: MessageKey; title: string; text: string } | undefined
  /** Deletes; `force` takes along what hangs on it. */
  remove: (query: { force?: 'true' }) => Promise<void>
  onClose: CloseDialog
}

/** The delete button of a dialog: asks with the name, and asks again when something hangs on it. */
export function DeleteFlow({ name, text, inUse, remove, onClose }: DeleteFlowProps) {
  const { t } = useTranslation()
  const [step, setStep] = useState<'closed' | 'asked' | 'inUse'>('closed')
  const [deleting, setDeleting] = useState(false)
  const confirm = async () => {
    setDeleting(true)
    try {
      await remove(step === 'inUse' ? { force: 'true' } : {})
      toasts.show({ tone: 'success', title: t('deleted', { name }) })
      onClose({ saved: true })
    } catch (error) {
      setDeleting(false)
      if (error instanceof ApiProblem && error.message === inUse?.message) return setStep('inUse')
      // A failed delete is shown as a toast.
      toasts.show({ tone: 'danger', title: messageText((error as Error).message) })
    }
  }
  return (
    <>
      <Button variant="risky" icon={Trash2} onClick={() => setStep('asked')}>
        {t('delete')}
      </Button>
      {/* The second question is another dialog: the focus starts on its Cancel again. */}
      <ConfirmDialog
        key={step === 'inUse' ? 'inUse' : 'asked'}
        open={step !== 'closed'}
        title={step === 'inUse' && inUse ? inUse.title : t('deleteNamed', { name })}
        cancelLabel={t('cancel')}
        confirmLabel={t(step === 'inUse' ? 'deleteAnyway' : 'delete')}
        loading={deleting}
        onCancel={() => setStep('closed')}
        onConfirm={() => void confirm()}
      >
        {step === 'inUse' && inUse ? inUse.text : text}
      </ConfirmDialog>
    </>
  )
}
