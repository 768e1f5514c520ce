import type { ReactNode } from 'react'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { isCompany } from '#contract/login-methods.ts'
import { asNumber, type SchemaForm } from '#web/lib/forms/form.ts'
import { LoginMethodFields } from '#web/lib/forms/login-method-fields.tsx'
import { Switch } from '#web/ui/fields/checkbox.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import { FormGrid } from '#web/ui/frame/page.tsx'
import type { OrganizationDraft, OrganizationValues } from './organization-draft.ts'

export type OrganizationSchemaForm = SchemaForm<OrganizationDraft, OrganizationValues>

interface SettingsFieldsProps {
  form: OrganizationSchemaForm
  compact?: boolean
  /** How its own sign-in stands, where it exists. */
  signIn?: ReactNode
}

/** The fields of an organisation, both new and existing. */
export function SettingsFields({ form, compact, signIn }: SettingsFieldsProps) {
  const { t } = useTranslation()
  const { register, field } = form
  const loginMethod = useWatch({ control: form.form.control, name: 'loginMethod' })
  return (
    <>
      <FormGrid columns>
        <Field {...field('name')}>
          <TextInput autoComplete="off" {...register('name')} />
        </Field>
        <Field {...field('organizationNumber')} optionalText={t('optional')}>
          <TextInput autoComplete="off" {...register('organizationNumber')} />
        </Field>
      </FormGrid>
      <Field {...field('maxPassiveDays')} hint={t('maxPassiveDaysHint')}>
        <TextInput
          inputMode="numeric"
          autoComplete="off"
          suffix={t('daysUnit')}
          {...register('maxPassiveDays', { setValueAs: asNumber })}
        />
      </Field>
      <LoginMethodFields form={form} compact={compact} />
      {signIn}
      <RequireLoginMethod form={form} />
      {isCompany(loginMethod) && <CreateAtSignIn form={form} />}
      <FormGrid columns>
        <Field {...field('senderName')} hint={t('senderNameHint')} optionalText={t('optional')}>
          <TextInput autoComplete="off" {...register('senderName')} />
        </Field>
        <Field {...field('replyTo')} hint={t('replyToHint')} optionalText={t('optional')}>
          <TextInput type="email" autoComplete="off" {...register('replyTo')} />
        </Field>
      </FormGrid>
      <Field {...field('guestDays')} hint={t('guestDaysHint')} optionalText={t('optional')}>
        <TextInput
          inputMode="numeric"
          autoComplete="off"
          suffix={t('daysUnit')}
          {...register('guestDays', { setValueAs: asNumber })}
        />
      </Field>
    </>
  )
}

function RequireLoginMethod({ form }: { form: OrganizationSchemaForm }) {
  const { t } = useTranslation()
  const { id, label, error } = form.field('requireLoginMethod')
  return (
    <Switch
      id={id}
      label={label}
      error={error}
      hint={t('requireLoginMethodHint')}
      {...form.register('requireLoginMethod')}
    />
  )
}

function CreateAtSignIn({ form }: { form: OrganizationSchemaForm }) {
  const { t } = useTranslation()
  const { id, label, error } = form.field('createAtSignIn')
  return (
    <Switch id={id} label={label} error={error} hint={t('createAtSignInHint')} {...form.register('createAtSignIn')} />
  )
}
