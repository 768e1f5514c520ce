import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SamlConfigDetails, samlConfigForm } from '#contract/saml-configs.ts'
import { nameIdFormats, noSamlOptions, type SamlOptions } from '#contract/saml-options.ts'
import type { FormOf } from '#web/lib/form.ts'
import { Switch } from '#web/ui/fields/checkbox.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import { FormGrid } from '#web/ui/frame/page.tsx'
import styles from '../saml-configs.module.css'

interface MoreSettingsProps {
  form: FormOf<typeof samlConfigForm>
  /** As it is saved; undefined for a new one. */
  saved: SamlConfigDetails | undefined
}

const names = Object.keys(noSamlOptions) as (keyof SamlOptions)[]
const example = 'urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport'

/** What few identity providers need: closed, unless something differs from the default or is wrong. */
export function MoreSettings({ form, saved }: MoreSettingsProps) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(saved !== undefined && names.some((name) => saved[name] !== noSamlOptions[name]))
  const hasError = names.some((name) => form.field(name).error !== undefined)
  const nameIdIsEmail = form.field('nameIdIsEmail')
  const code = { autoComplete: 'off', spellCheck: false, autoCapitalize: 'none' }
  return (
    <details className={styles.more} open={open || hasError} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('samlMoreSettings')}</summary>
      <div className={styles.moreFields}>
        <Field {...form.field('emailAttribute')} hint={t('emailAttributeHint')} optionalText={t('optional')}>
          <TextInput {...code} {...form.register('emailAttribute')} />
        </Field>
        <Switch
          id={nameIdIsEmail.id}
          label={nameIdIsEmail.label}
          error={nameIdIsEmail.error}
          hint={t('nameIdIsEmailHint')}
          {...form.register('nameIdIsEmail')}
        />
        <Field {...form.field('ssnAttribute')} hint={t('ssnAttributeHint')} optionalText={t('optional')}>
          <TextInput {...code} {...form.register('ssnAttribute')} />
        </Field>
        <FormGrid columns>
          <Field {...form.field('firstNameAttribute')} optionalText={t('optional')}>
            <TextInput {...code} {...form.register('firstNameAttribute')} />
          </Field>
          <Field {...form.field('lastNameAttribute')} optionalText={t('optional')}>
            <TextInput {...code} {...form.register('lastNameAttribute')} />
          </Field>
        </FormGrid>
        <Field {...form.field('nameIdFormat')}>
          <Select {...form.register('nameIdFormat')}>
            <option value="">{t('nameIdFormatAny')}</option>
            {nameIdFormats.map((format) => (
              <option key={format} value={format}>
                {format}
              </option>
            ))}
          </Select>
        </Field>
        <Field {...form.field('authnContexts')} hint={t('authnContextsHint', { example })} optionalText={t('optional')}>
          <TextArea mono rows={2} {...code} {...form.register('authnContexts')} />
        </Field>
      </div>
    </details>
  )
}
