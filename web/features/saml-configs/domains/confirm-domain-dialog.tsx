import { useTranslation } from 'react-i18next'
import { confirmDomainForm, confirmDomainLabels, samlDomains } from '#contract/saml-configs/saml-domains.ts'
import { FormDialog } from '#web/lib/dialogs/form-dialog.tsx'
import { useSchemaForm } from '#web/lib/forms/form.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { toasts } from '#web/ui/toast/toast-store.ts'

interface ConfirmDomainDialogProps {
  params: { id: string }
  domain: string
  onClose: () => void
}

/** Asks why the domain is the organisation's; the audit log keeps the answer. */
export function ConfirmDomainDialog({ params, domain, onClose }: ConfirmDomainDialogProps) {
  const { t } = useTranslation()
  const confirm = useSave(samlDomains.confirm, { inline: true })
  const form = useSchemaForm({
    schema: confirmDomainForm,
    labels: confirmDomainLabels,
    values: { domain, reason: '' },
    save: async (input) => {
      await confirm.mutateAsync({ params, input })
      toasts.show({ tone: 'success', title: t('domainIsProven', { domain }) })
      onClose()
    },
  })
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      saveLabel={t('confirm')}
      size="small"
      title={t('domainConfirm')}
      subtitle={domain}
      initialFocus="first"
      backLabel={t('back')}
      guard={false}
    >
      <Field {...form.field('reason')} hint={t('domainConfirmText')}>
        <TextArea rows={3} maxLength={500} {...form.register('reason')} />
      </Field>
    </FormDialog>
  )
}
