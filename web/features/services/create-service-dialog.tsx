import { useTranslation } from 'react-i18next'
import { type ServiceForm, serviceForm, services } from '#contract/services.ts'
import { useCloseDialog } from '#web/lib/dialog-route.ts'
import { useSchemaForm } from '#web/lib/form.ts'
import { FormDialog } from '#web/lib/form-dialog.tsx'
import { LeaveGuard } from '#web/lib/leave-guard.tsx'
import { useSave } from '#web/lib/use-save.ts'
import { toasts } from '#web/ui/toast-store.ts'
import { ServiceFields } from './service-fields.tsx'

export function CreateServiceDialog() {
  const { t } = useTranslation()
  const close = useCloseDialog('/services')
  const { mutateAsync } = useSave(services.create, { inline: true })
  const form = useSchemaForm<ServiceForm, ServiceForm>({
    schema: serviceForm,
    values: { name: '', url: '' },
    save: async (input) => {
      await mutateAsync({ input })
      toasts.show({ tone: 'success', title: t('created', { name: input.name }) })
      close({ saved: true })
    },
  })
  return (
    <FormDialog
      form={form}
      size="small"
      title={t('createService')}
      onClose={close}
      initialFocus="first"
      saveLabel={t('create')}
    >
      <ServiceFields form={form} />
      <LeaveGuard dirty={form.dirty} />
    </FormDialog>
  )
}
