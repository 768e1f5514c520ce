import { useTranslation } from 'react-i18next'
import {
  type AccessRequest,
  accessRequests,
  refusalForm,
  refusalLabels,
} from '#contract/access-requests/access-requests.ts'
import { FormDialog } from '#web/lib/dialogs/form-dialog.tsx'
import { useSchemaForm } from '#web/lib/forms/form.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { toasts } from '#web/ui/toast/toast-store.ts'

interface RefuseDialogProps {
  request: AccessRequest
  onClose: () => void
}

/** Asks why; the person reads it. */
export function RefuseDialog({ request, onClose }: RefuseDialogProps) {
  const { t } = useTranslation()
  const refuse = useSave(accessRequests.refuse, { inline: true })
  const { requestId, name, email, serviceName } = request
  const form = useSchemaForm({
    schema: refusalForm,
    labels: refusalLabels,
    values: { reason: '' },
    save: async (input) => {
      await refuse.mutateAsync({ params: { id: requestId }, input })
      toasts.show({ tone: 'success', title: t('requestRefused') })
      onClose()
    },
  })
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      saveLabel={t('refuse')}
      size="small"
      title={t('refuseRequest')}
      subtitle={`${name ?? email}, ${serviceName}`}
      initialFocus="first"
    >
      <Field {...form.field('reason')} hint={t('refusalReasonHint')}>
        <TextArea rows={3} maxLength={500} {...form.register('reason')} />
      </Field>
    </FormDialog>
  )
}
