import { useQueryClient } from '@tanstack/react-query'
import { Controller } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { appCode, appCodeLabels, factors } from '#contract/factors/factors.ts'
import type { AnswerOf } from '#contract/route.ts'
import { FormDialog } from '#web/lib/dialogs/form-dialog.tsx'
import { useSchemaForm } from '#web/lib/forms/form.ts'
import { send } from '#web/lib/requests/api.ts'
import { CodeInput } from '#web/ui/fields/code-input.tsx'
import { CopyField } from '#web/ui/fields/copy-field.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { QrCode } from '#web/ui/qr-code.tsx'

interface AddAppDialogProps {
  setup: AnswerOf<typeof factors.beginApp>
  onClose: () => void
  onAdded: () => void
}

/** What the app scans or is told, and its first code. */
export function AddAppDialog({ setup, onClose, onAdded }: AddAppDialogProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const form = useSchemaForm({
    schema: appCode,
    labels: appCodeLabels,
    values: { code: '' },
    save: async ({ code }) => {
      await send(factors.confirmApp, { input: { code, setup: setup.setup } })
      await client.invalidateQueries()
      onAdded()
    },
  })
  return (
    <FormDialog
      form={form}
      size="small"
      title={t('addAppTitle')}
      onClose={onClose}
      saveLabel={t('addApp')}
      guard={false}
    >
      <p>{t('addAppScan')}</p>
      <QrCode value={setup.uri} label={t('addAppQrCode')} />
      <CopyField
        label={t('addAppKey')}
        value={(setup.secret.match(/.{1,4}/g) ?? []).join(' ')}
        copyLabel={t('copy')}
        copiedLabel={t('copied')}
      />
      <Controller
        control={form.form.control}
        name="code"
        render={({ field: { value, onChange, name } }) => (
          <Field {...form.field('code')}>
            <CodeInput name={name} value={value} onChange={onChange} onComplete={() => form.submit()} />
          </Field>
        )}
      />
    </FormDialog>
  )
}
