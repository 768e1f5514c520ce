import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { message } from '#contract/fields/fields.ts'
import { passwordResets, resetLifetime, resetRequest } from '#contract/password-reset/password-reset.ts'
import { FormDialog } from '#web/lib/dialogs/form-dialog.tsx'
import { asNumber, useSchemaForm } from '#web/lib/forms/form.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import { toasts } from '#web/ui/toast/toast-store.ts'

/** Sends a password reset link, after asking how long it is valid. */
export function ResetPassword({ email }: { email: string }) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="ghost" onClick={() => setOpen(true)}>
        {t('triggerPasswordReset')}
      </Button>
      {open && <ResetPasswordDialog email={email} onClose={() => setOpen(false)} />}
    </>
  )
}

const { tokenLifeTimeInHours } = resetRequest.shape
const lifetime = z.object({ tokenLifeTimeInHours: z.nullable(tokenLifeTimeInHours) }).check(
  z.refine((form) => form.tokenLifeTimeInHours !== null, {
    error: message('required'),
    path: ['tokenLifeTimeInHours'],
  }),
)

function ResetPasswordDialog({ email, onClose }: { email: string; onClose: () => void }) {
  const { t } = useTranslation()
  // Errors are shown as a toast.
  const request = useSave(passwordResets.request)
  const form = useSchemaForm<z.input<typeof lifetime>, z.output<typeof lifetime>>({
    schema: lifetime,
    labels: { tokenLifeTimeInHours: 'linkLifetime' },
    values: { tokenLifeTimeInHours: resetLifetime.byAdmin },
    save: async (values) => {
      const input = { email, tokenLifeTimeInHours: values.tokenLifeTimeInHours ?? resetLifetime.byAdmin }
      const sent = await request.mutateAsync({ input }).then(
        () => true,
        () => false,
      )
      if (!sent) return
      toasts.show({ tone: 'success', title: t('resetPasswordTriggered', { email }) })
      onClose()
    },
  })
  return (
    <FormDialog
      form={form}
      size="confirm"
      title={t('triggerPasswordReset')}
      onClose={onClose}
      initialFocus="first"
      saveLabel={t('resetPasswordSend')}
      guard={false}
    >
      <p>{t('triggerPasswordResetText', { email })}</p>
      <Field {...form.field('tokenLifeTimeInHours')} hint={t('linkLifetimeHint')}>
        <TextInput
          inputMode="numeric"
          autoComplete="off"
          suffix={t('hoursUnit')}
          {...form.register('tokenLifeTimeInHours', { setValueAs: asNumber })}
        />
      </Field>
    </FormDialog>
  )
}
