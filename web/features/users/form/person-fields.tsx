import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { isMaskedSsn } from '#contract/fields/ssn.ts'
import { needsNumber } from '#contract/login-methods.ts'
import { asNumber, type SchemaForm } from '#web/lib/forms/form.ts'
import { LoginMethodFields } from '#web/lib/forms/login-method-fields.tsx'
import { PrivacyLink } from '#web/lib/forms/privacy-link.tsx'
import { languageNames } from '#web/lib/texts/language.ts'
import { NumberStatus } from '#web/lib/texts/number-status.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import { FormGrid } from '#web/ui/frame/page.tsx'
import { RevealSsn } from './reveal-ssn.tsx'
import type { UserDraft, UserValues } from './user-draft.ts'

export type UserSchemaForm = SchemaForm<UserDraft, UserValues>

export function NameFields({ form }: { form: UserSchemaForm }) {
  const { register, field } = form
  return (
    <FormGrid columns>
      <Field {...field('firstName')}>
        <TextInput autoComplete="off" {...register('firstName')} />
      </Field>
      <Field {...field('lastName')}>
        <TextInput autoComplete="off" {...register('lastName')} />
      </Field>
    </FormGrid>
  )
}

interface ContactFieldsProps {
  form: UserSchemaForm
  /** The initial value; it may be masked to the date of birth. */
  ssn?: string | null
  /** Whether that number is proven. */
  ssnConfirmed?: boolean | null
  /** Users change their own values in the account settings, which ask for the password. */
  own?: boolean
  /** The account whose masked number this person may see whole. */
  reveal?: string | undefined
}

/** Personal number and phone number. */
export function ContactFields({ form, ssn = null, ssnConfirmed = null, own = false, reveal }: ContactFieldsProps) {
  const { t } = useTranslation()
  const { register, field } = form
  const method = useWatch({ control: form.form.control, name: 'loginMethod' })
  const optional = own ? undefined : t('optional')
  const ssnHint = t(ssn && isMaskedSsn(ssn) ? 'ssnMaskedHint' : 'ssnHint')
  return (
    <>
      <FormGrid columns>
        <Field
          {...field('ssn')}
          hint={
            <>
              {own ? t('ownDetailsHint') : ssnHint} <NumberStatus confirmed={ssnConfirmed} />
            </>
          }
          optionalText={needsNumber(method) ? undefined : optional}
        >
          <TextInput inputMode="numeric" autoComplete="off" readOnly={own} {...register('ssn')} />
        </Field>
        <Field
          {...field('phoneNumber')}
          hint={own ? t('ownDetailsHint') : t('phoneNumberHint')}
          optionalText={optional}
        >
          <TextInput type="tel" autoComplete="off" readOnly={own} {...register('phoneNumber')} />
        </Field>
      </FormGrid>
      {reveal && ssn && isMaskedSsn(ssn) && <RevealSsn accountId={reveal} />}
      {!own && <PrivacyLink />}
    </>
  )
}

/** The properties that only super users can change. */
export function ManagedFields({ form, compact }: { form: UserSchemaForm; compact?: boolean }) {
  const { t } = useTranslation()
  const { register, field } = form
  return (
    <>
      <LoginMethodFields form={form} compact={compact} />
      <FormGrid columns>
        <Field {...field('preferredLanguage')}>
          <Select {...register('preferredLanguage')}>
            <option value="">{t('preferredLanguageNone')}</option>
            {languageNames.map(({ value, name }) => (
              <option key={value} value={value} lang={value}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
        <Field {...field('maxPassiveDays')} hint={t('ownPassiveDaysHint')} optionalText={t('optional')}>
          <TextInput
            inputMode="numeric"
            autoComplete="off"
            suffix={t('daysUnit')}
            {...register('maxPassiveDays', { setValueAs: asNumber })}
          />
        </Field>
      </FormGrid>
    </>
  )
}
