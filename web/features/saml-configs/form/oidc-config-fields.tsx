import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type * as z from 'zod/mini'
import type { oidcConfigForm } from '#contract/saml-configs/oidc-configs.ts'
import type { SamlConfigDetails } from '#contract/saml-configs/saml-configs.ts'
import type { FormOf } from '#web/lib/forms/form.ts'
import { dateTimeText } from '#web/lib/texts/dates.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { Alert } from '#web/ui/alert.tsx'
import { Switch } from '#web/ui/fields/checkbox.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { FieldGroup } from '#web/ui/fields/field-group.tsx'
import { PasswordInput } from '#web/ui/fields/password-input.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import { ActiveSwitch } from './active-switch.tsx'
import { ClaimNames } from './claim-names.tsx'

export const newOidcConfig: z.input<typeof oidcConfigForm> = {
  name: '',
  url: '',
  domain: '',
  clientId: '',
  clientSecret: '',
  clientKey: false,
  emailAttribute: '',
  ssnAttribute: '',
  firstNameAttribute: '',
  lastNameAttribute: '',
  assertsNumbers: false,
  active: false,
}

const example = 'https://login.microsoftonline.com/…/v2.0'

interface OidcConfigFieldsProps {
  form: FormOf<typeof oidcConfigForm>
  /** As it is saved; undefined for a new one. */
  saved?: SamlConfigDetails
}

/** What a configuration of OpenID Connect is made of. */
export function OidcConfigFields({ form, saved }: OidcConfigFieldsProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const setAt = saved?.clientSecretSetAt
  const byKey = useWatch({ control: form.form.control, name: 'clientKey' })
  const key = form.field('clientKey')
  const secretHint = setAt ? t('oidcSecretKeptHint', { time: dateTimeText(setAt, language) }) : t('oidcSecretHint')
  const numbers = form.field('assertsNumbers')
  const code = { autoComplete: 'off', spellCheck: false, autoCapitalize: 'none' }
  return (
    <>
      <Field {...form.field('name')}>
        <TextInput autoComplete="off" {...form.register('name')} />
      </Field>
      <Field {...form.field('domain')} hint={t('domainHint')}>
        <TextInput {...code} type="url" {...form.register('domain')} />
      </Field>
      <FieldGroup legend={t('identityProvider')} hint={t('oidcProviderHint')}>
        <Field {...form.field('url')} hint={t('oidcIssuerHint', { example })}>
          <TextInput {...code} type="url" {...form.register('url')} />
        </Field>
        <Field {...form.field('clientId')}>
          <TextInput {...code} {...form.register('clientId')} />
        </Field>
        <Switch
          id={key.id}
          label={key.label}
          error={key.error}
          hint={t(saved ? 'clientKeyHint' : 'clientKeyLaterHint')}
          {...form.register('clientKey')}
        />
        {!byKey && (
          <Field {...form.field('clientSecret')} hint={secretHint} optionalText={setAt ? t('optional') : undefined}>
            <PasswordInput autoComplete="new-password" showLabel={t('showSecret')} {...form.register('clientSecret')} />
          </Field>
        )}
      </FieldGroup>
      <FieldGroup legend={t('ssn')}>
        <Switch
          id={numbers.id}
          label={numbers.label}
          error={numbers.error}
          hint={t('assertsNumbersHint')}
          {...form.register('assertsNumbers')}
        />
      </FieldGroup>
      <ClaimNames form={form} saved={saved} />
      {saved ? <ActiveSwitch form={form} saved={saved} /> : <Alert tone="info">{t('samlConfigBeginsOff')}</Alert>}
    </>
  )
}
