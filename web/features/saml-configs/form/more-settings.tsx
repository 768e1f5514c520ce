import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { defaultClockSkew, maxClockSkew, type SamlBindings } from '#contract/saml-configs/saml-bindings.ts'
import type { SamlConfigDetails, samlConfigForm } from '#contract/saml-configs/saml-configs.ts'
import { nameIdFormats, noSamlOptions, type SamlOptions } from '#contract/saml-configs/saml-options.ts'
import type { FormOf } from '#web/lib/forms/form.ts'
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
const newBindings: Omit<SamlBindings, 'cbcAllowed'> = {
  postRequests: false,
  postLogout: false,
  logoutResponseUrl: null,
  clockSkewSeconds: defaultClockSkew,
}
const bindings = Object.keys(newBindings) as (keyof typeof newBindings)[]
const example = 'urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport'

/** What few identity providers need: closed, unless something differs from the default or is wrong. */
export function MoreSettings({ form, saved }: MoreSettingsProps) {
  const { t } = useTranslation()
  const nameIdIsEmail = form.field('nameIdIsEmail')
  const differs =
    saved &&
    (names.some((name) => saved[name] !== noSamlOptions[name]) ||
      bindings.some((name) => saved[name] !== newBindings[name]))
  const [open, setOpen] = useState(differs === true)
  const hasError = [...names, ...bindings].some((name) => form.field(name).error !== undefined)
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
        <Switch
          {...switchOf(form.field('postRequests'))}
          hint={t('postRequestsHint')}
          {...form.register('postRequests')}
        />
        <Switch {...switchOf(form.field('postLogout'))} hint={t('postLogoutHint')} {...form.register('postLogout')} />
        <Field {...form.field('logoutResponseUrl')} hint={t('logoutResponseUrlHint')} optionalText={t('optional')}>
          <TextInput type="url" {...code} {...form.register('logoutResponseUrl')} />
        </Field>
        <Field {...form.field('clockSkewSeconds')} hint={t('clockSkewSecondsHint')}>
          <TextInput
            type="number"
            inputMode="numeric"
            min={0}
            max={maxClockSkew}
            {...form.register('clockSkewSeconds', { valueAsNumber: true })}
          />
        </Field>
      </div>
    </details>
  )
}

const switchOf = ({ id, label, error }: ReturnType<FormOf<typeof samlConfigForm>['field']>) => ({ id, label, error })
