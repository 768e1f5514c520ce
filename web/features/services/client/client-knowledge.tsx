import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { ClientKind } from '#contract/service-clients/client-addresses.ts'
import { personalNumberScope } from '#contract/service-clients/client-form.ts'
import type { FormOf } from '#web/lib/forms/form.ts'
import { Alert } from '#web/ui/alert.tsx'
import { Switch } from '#web/ui/fields/checkbox.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import type { clientDraft } from './client-draft.ts'

/** What the service learns beyond its scopes. */
export function ClientKnowledge({ form, kind }: { form: FormOf<typeof clientDraft>; kind: ClientKind | 'none' }) {
  const { t } = useTranslation()
  const { control, getFieldState, formState } = form.form
  const reason = useWatch({ control, name: 'personalNumberReason' })
  const { id, label, error } = form.field('pairwise')
  return (
    <>
      {kind !== 'native' && (
        <Field {...form.field('initiateLoginUri')} hint={t('initiateLoginUriHint')} optionalText={t('optional')}>
          <TextInput type="url" autoComplete="off" spellCheck={false} {...form.register('initiateLoginUri')} />
        </Field>
      )}
      <Switch id={id} label={label} error={error} hint={t('pairwiseHint')} {...form.register('pairwise')} />
      {getFieldState('pairwise', formState).isDirty && (
        <Alert tone="warn" live="status">
          {t('pairwiseWarning')}
        </Alert>
      )}
      <Field
        {...form.field('personalNumberReason')}
        hint={t('personalNumberReasonHint', { scope: personalNumberScope })}
        optionalText={t('optional')}
      >
        <TextArea rows={2} {...form.register('personalNumberReason')} />
      </Field>
      {reason && (
        <Alert tone="warn" live="status">
          {t('personalNumberWarning')}
        </Alert>
      )}
    </>
  )
}
