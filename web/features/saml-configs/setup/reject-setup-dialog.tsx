import { useTranslation } from 'react-i18next'
import {
  type SetupDetails,
  samlSetups,
  setupRejection,
  setupRejectionLabels,
} from '#contract/saml-setups/saml-setups.ts'
import { FormDialog } from '#web/lib/dialogs/form-dialog.tsx'
import { useSchemaForm } from '#web/lib/forms/form.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { toasts } from '#web/ui/toast/toast-store.ts'

interface RejectSetupDialogProps {
  setup: SetupDetails
  onClose: () => void
  onRejected: () => void
}

/** Asks why; the IT reads it on the page of the link. */
export function RejectSetupDialog({ setup, onClose, onRejected }: RejectSetupDialogProps) {
  const { t } = useTranslation()
  const reject = useSave(samlSetups.reject, { inline: true })
  const { setupId, organizationName, version } = setup
  const form = useSchemaForm({
    schema: setupRejection,
    labels: setupRejectionLabels,
    values: { reason: '' },
    save: async (input) => {
      await reject.mutateAsync({ params: { id: setupId }, input: { ...input, version } })
      toasts.show({ tone: 'success', title: t('setupWasSentBack') })
      onRejected()
    },
  })
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      saveLabel={t('setupReject')}
      size="small"
      title={t('setupReject')}
      subtitle={organizationName}
      initialFocus="first"
      backLabel={t('back')}
      guard={false}
    >
      <Field {...form.field('reason')} hint={t('setupRejectText')}>
        <TextArea rows={4} maxLength={1000} {...form.register('reason')} />
      </Field>
    </FormDialog>
  )
}
