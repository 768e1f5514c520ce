import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { directories, scimTokenDays, scimTokenForm, scimTokenLabels } from '#contract/scim/scim.ts'
import { FormDialog } from '#web/lib/dialogs/form-dialog.tsx'
import { useSchemaForm } from '#web/lib/forms/form.ts'
import { call } from '#web/lib/requests/api.ts'
import { Alert } from '#web/ui/alert.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { CopyField } from '#web/ui/fields/copy-field.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'

/** Makes a token, and shows it once. */
export function CreateTokenDialog({ organizationId, onClose }: { organizationId: string; onClose: () => void }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [token, setToken] = useState<string>()
  const form = useSchemaForm({
    schema: scimTokenForm,
    labels: scimTokenLabels,
    values: { name: '', days: '365' as const },
    save: async (input) => {
      const made = await call(directories.createToken, { params: { id: organizationId }, input })
      void client.invalidateQueries()
      setToken(made.token)
    },
  })
  if (token) return <TokenDialog token={token} onClose={onClose} />
  return (
    <FormDialog form={form} size="small" title={t('scimCreateToken')} saveLabel={t('create')} onClose={onClose}>
      <Field {...form.field('name')} hint={t('scimTokenNameHint')}>
        <TextInput autoComplete="off" {...form.register('name')} />
      </Field>
      <Field {...form.field('days')} hint={t('scimTokenDaysHint')}>
        <Select {...form.register('days')}>
          {scimTokenDays.map((days) => (
            <option key={days} value={days}>
              {t('scimDays', { days })}
            </option>
          ))}
        </Select>
      </Field>
    </FormDialog>
  )
}

function TokenDialog({ token, onClose }: { token: string; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog
      open
      title={t('scimToken')}
      closeLabel={t('close')}
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose}>
          {t('close')}
        </Button>
      }
    >
      <Alert tone="warn">{t('scimTokenOnce')}</Alert>
      <CopyField label={t('scimToken')} value={token} copyLabel={t('copy')} copiedLabel={t('copied')} />
    </Dialog>
  )
}
