import type { ReactNode } from 'react'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { FormOf } from '#web/lib/forms/form.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import type { clientDraft } from './client-draft.ts'

type Form = FormOf<typeof clientDraft>

/** Where the service learns of sign-outs, and where people go after one. */
export function SignOutFields({ form, logoutTest }: { form: Form; logoutTest: ReactNode }) {
  const { t } = useTranslation()
  const kind = useWatch({ control: form.form.control, name: 'kind' })
  return (
    <>
      <Field
        {...form.field('postLogoutRedirectUris')}
        hint={t('postLogoutRedirectUrisHint')}
        optionalText={t('optional')}
      >
        <TextArea rows={2} mono spellCheck={false} {...form.register('postLogoutRedirectUris')} />
      </Field>
      {kind === 'web' && <LogoutAddress form={form} />}
      {kind === 'web' && logoutTest}
      {(kind === 'web' || kind === 'singlePage') && <FrameAddress form={form} />}
    </>
  )
}

function LogoutAddress({ form }: { form: Form }) {
  const { t } = useTranslation()
  return (
    <Field {...form.field('backchannelLogoutUri')} hint={t('backchannelLogoutUriHint')} optionalText={t('optional')}>
      <TextInput type="url" autoComplete="off" spellCheck={false} {...form.register('backchannelLogoutUri')} />
    </Field>
  )
}

function FrameAddress({ form }: { form: Form }) {
  const { t } = useTranslation()
  return (
    <Field {...form.field('frontchannelLogoutUri')} hint={t('frontchannelLogoutUriHint')} optionalText={t('optional')}>
      <TextInput type="url" autoComplete="off" spellCheck={false} {...form.register('frontchannelLogoutUri')} />
    </Field>
  )
}
