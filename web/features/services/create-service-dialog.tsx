import { useTranslation } from 'react-i18next'
import { type ServiceForm, serviceForm, services } from '#contract/services.ts'
import { useCloseDialog } from '#web/lib/dialog-route.ts'
import { useSchemaForm } from '#web/lib/form.ts'
import { LeaveGuard } from '#web/lib/leave-guard.tsx'
import { useSave } from '#web/lib/use-save.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
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
    <Dialog
      open
      size="small"
      title={t('createService')}
      closeLabel={t('close')}
      onClose={close}
      initialFocus="first"
      form={{ onSubmit: form.submit }}
      footer={
        <>
          <Button onClick={() => close()}>{t('cancel')}</Button>
          <Button type="submit" variant="primary" loading={form.saving}>
            {t('create')}
          </Button>
        </>
      }
    >
      <ServiceFields form={form} />
      <LeaveGuard dirty={form.dirty} />
    </Dialog>
  )
}
