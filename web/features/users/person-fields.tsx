import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { isMaskedSsn } from '#contract/ssn.ts'
import { asNumber, type SchemaForm } from '#web/lib/form.ts'
import { languageNames } from '#web/lib/language.ts'
import { LoginMethodFields } from '#web/lib/login-method-fields.tsx'
import { Field } from '#web/ui/field.tsx'
import { FormGrid } from '#web/ui/page.tsx'
import { Select } from '#web/ui/select.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import type { UserDraft, UserValues } from './user-draft.ts'

export type UserSchemaForm = SchemaForm<UserDraft, UserValues>

export function NameFields({ form }: { form: UserSchemaForm }) {
  const { t } = useTranslation()
  const { register, field } = form
  return (
    <FormGrid columns>
      <Field {...field('firstName', t('firstName'))}>
        <TextInput autoComplete="off" {...register('firstName')} />
      </Field>
      <Field {...field('lastName', t('lastName'))}>
        <TextInput autoComplete="off" {...register('lastName')} />
      </Field>
    </FormGrid>
  )
}

interface ContactFieldsProps {
  form: UserSchemaForm
  /** As it was shown to begin with: perhaps the date of birth alone. */
  ssn?: string | null
  /** One's own are changed in the account settings, where the password is asked for. */
  own?: boolean
}

/** Personal number and telephone. */
export function ContactFields({ form, ssn = null, own = false }: ContactFieldsProps) {
  const { t } = useTranslation()
  const { register, field } = form
  const method = useWatch({ control: form.form.control, name: 'loginMethod' })
  const optional = own ? undefined : t('optional')
  const ssnHint = t(ssn && isMaskedSsn(ssn) ? 'ssnMaskedHint' : 'ssnHint')
  return (
    <FormGrid columns>
      <Field
        {...field('ssn', t('ssn'))}
        hint={own ? t('ownDetailsHint') : ssnHint}
        optionalText={method === 'bankid' ? undefined : optional}
      >
        <TextInput inputMode="numeric" autoComplete="off" readOnly={own} {...register('ssn')} />
      </Field>
      <Field
        {...field('phoneNumber', t('phoneNumber'))}
        hint={own ? t('ownDetailsHint') : t('phoneNumberHint')}
        optionalText={optional}
      >
        <TextInput type="tel" autoComplete="off" readOnly={own} {...register('phoneNumber')} />
      </Field>
    </FormGrid>
  )
}

/** What super users alone decide about a person. */
export function ManagedFields({ form }: { form: UserSchemaForm }) {
  const { t } = useTranslation()
  const { register, field } = form
  return (
    <>
      <LoginMethodFields form={form} />
      <FormGrid columns>
        <Field {...field('preferredLanguage', t('preferredLanguage'))}>
          <Select {...register('preferredLanguage')}>
            <option value="">{t('preferredLanguageNone')}</option>
            {languageNames.map(({ value, name }) => (
              <option key={value} value={value} lang={value}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
        <Field
          {...field('maxPassiveDays', t('maxPassiveDays'))}
          hint={t('ownPassiveDaysHint')}
          optionalText={t('optional')}
        >
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
