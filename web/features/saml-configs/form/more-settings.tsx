import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { maxClockSkew } from '#contract/saml-configs/saml-bindings.ts'
import type { SamlConfigForm, samlConfigForm } from '#contract/saml-configs/saml-configs.ts'
import { nameIdFormats, noSamlOptions, type SamlOptions } from '#contract/saml-configs/saml-options.ts'
import type { FormOf } from '#web/lib/forms/form.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { FieldGroup } from '#web/ui/fields/field-group.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import { FormGrid } from '#web/ui/frame/page.tsx'
import styles from '../saml-configs.module.css'
import { Choice } from './choice.tsx'

interface MoreSettingsProps {
  form: FormOf<typeof samlConfigForm>
}

const names = [
  ...(Object.keys(noSamlOptions) as (keyof SamlOptions)[]),
  'logoutUrl',
  'logoutResponseUrl',
  'postLogout',
  'postRequests',
  'encryptionEnabled',
  'cbcAllowed',
  'assertsNumbers',
  'clockSkewSeconds',
] as const satisfies readonly (keyof SamlConfigForm)[]
const example = 'urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport'
const code = { autoComplete: 'off', spellCheck: false, autoCapitalize: 'none' }

/** What few identity providers need: closed, unless something is wrong. */
export function MoreSettings({ form }: MoreSettingsProps) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  const hasError = names.some((name) => form.field(name).error !== undefined)
  return (
    <details className={styles.more} open={open || hasError} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('advancedTab')}</summary>
      <div className={styles.moreFields}>
        <Person form={form} />
        <Requests form={form} />
        <SignOut form={form} />
        <FieldGroup legend={t('samlEncryption')}>
          <Choice form={form} name="encryptionEnabled" hint={t('encryptionEnabledHint')} />
          <Choice form={form} name="cbcAllowed" hint={t('cbcAllowedHint')} />
        </FieldGroup>
      </div>
    </details>
  )
}

type Group = MoreSettingsProps

/** By what an answer names the person. */
function Person({ form }: Group) {
  const { t } = useTranslation()
  return (
    <FieldGroup legend={t('samlAttributes')}>
      <Field {...form.field('emailAttribute')} hint={t('emailAttributeHint')} optionalText={t('optional')}>
        <TextInput {...code} {...form.register('emailAttribute')} />
      </Field>
      <Choice form={form} name="nameIdIsEmail" hint={t('nameIdIsEmailHint')} />
      <Field {...form.field('ssnAttribute')} hint={t('ssnAttributeHint')} optionalText={t('optional')}>
        <TextInput {...code} {...form.register('ssnAttribute')} />
      </Field>
      <Choice form={form} name="assertsNumbers" hint={t('assertsNumbersHint')} />
      <FormGrid columns>
        <Field {...form.field('firstNameAttribute')} optionalText={t('optional')}>
          <TextInput {...code} {...form.register('firstNameAttribute')} />
        </Field>
        <Field {...form.field('lastNameAttribute')} optionalText={t('optional')}>
          <TextInput {...code} {...form.register('lastNameAttribute')} />
        </Field>
      </FormGrid>
    </FieldGroup>
  )
}

/** What the identity provider is asked for. */
function Requests({ form }: Group) {
  const { t } = useTranslation()
  return (
    <FieldGroup legend={t('samlRequests')}>
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
      <Choice form={form} name="postRequests" hint={t('postRequestsHint')} />
      <Field {...form.field('clockSkewSeconds')} hint={t('clockSkewSecondsHint')}>
        <TextInput
          type="number"
          inputMode="numeric"
          min={0}
          max={maxClockSkew}
          {...form.register('clockSkewSeconds', { valueAsNumber: true })}
        />
      </Field>
    </FieldGroup>
  )
}

function SignOut({ form }: Group) {
  const { t } = useTranslation()
  return (
    <FieldGroup legend={t('samlSignOut')}>
      <Field {...form.field('logoutUrl')} optionalText={t('optional')} hint={t('samlLogoutUrlHint')}>
        <TextInput type="url" {...code} {...form.register('logoutUrl')} />
      </Field>
      <Field {...form.field('logoutResponseUrl')} hint={t('logoutResponseUrlHint')} optionalText={t('optional')}>
        <TextInput type="url" {...code} {...form.register('logoutResponseUrl')} />
      </Field>
      <Choice form={form} name="postLogout" hint={t('postLogoutHint')} />
    </FieldGroup>
  )
}
