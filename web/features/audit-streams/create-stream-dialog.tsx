import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type AuditStream,
  auditStreamForm,
  auditStreamLabels,
  auditStreams,
} from '#contract/audit-streams/audit-streams.ts'
import { useCloseDialog } from '#web/lib/dialogs/dialog-route.ts'
import { useEntityDialog } from '#web/lib/dialogs/entity-dialog.ts'
import { FormDialog } from '#web/lib/dialogs/form-dialog.tsx'
import { draftFrom } from '#web/lib/forms/draft.ts'
import { call } from '#web/lib/requests/api.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import { SecretDialog } from './secret-dialog.tsx'

/** Adds an endpoint, and shows its secret once. */
export function CreateStreamDialog() {
  const { t } = useTranslation()
  const client = useQueryClient()
  const close = useCloseDialog('/audit-streams')
  const [secret, setSecret] = useState<string>()
  const { form, ...dialog } = useEntityDialog({
    schema: auditStreamForm,
    labels: auditStreamLabels,
    draftOf: (known: Partial<AuditStream & { version: number }>) => draftFrom({ url: '' }, known),
    nameOf: ({ url }) => url,
    // The secret is shown first.
    onClose: (why) => (why?.saved ? undefined : close(why)),
    save: async (input) => {
      const added = await call(auditStreams.create, { input })
      void client.invalidateQueries()
      setSecret(added.secret)
    },
  })
  if (secret)
    return <SecretDialog secret={secret} hint={t('streamSecretHint')} onClose={() => close({ saved: true })} />
  return (
    <FormDialog {...dialog} form={form} size="small" title={t('createAuditStream')}>
      <Field {...form.field('url')} hint={t('streamAddressHint')}>
        <TextInput type="url" inputMode="url" autoComplete="off" {...form.register('url')} />
      </Field>
    </FormDialog>
  )
}
