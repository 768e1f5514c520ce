import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type * as z from 'zod/mini'
import { defaultClockSkew } from '#contract/saml-configs/saml-bindings.ts'
import type { SamlConfigDetails, samlConfigForm } from '#contract/saml-configs/saml-configs.ts'
import type { FormOf } from '#web/lib/forms/form.ts'
import { Alert } from '#web/ui/alert.tsx'
import { Switch } from '#web/ui/fields/checkbox.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { FieldGroup } from '#web/ui/fields/field-group.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import { CertificateStates } from '../metadata/certificate-states.tsx'
import styles from '../saml-configs.module.css'
import { ActiveSwitch } from './active-switch.tsx'
import { MoreSettings } from './more-settings.tsx'

export const newSamlConfig: z.input<typeof samlConfigForm> = {
  name: '',
  entityId: '',
  url: '',
  logoutUrl: '',
  domain: '',
  certificate: '',
  wantAssertionsSigned: false,
  wantAuthnResponseSigned: false,
  requestSigningEnabled: false,
  encryptionEnabled: false,
  postRequests: false,
  postLogout: false,
  logoutResponseUrl: '',
  cbcAllowed: false,
  clockSkewSeconds: defaultClockSkew,
  nameIdFormat: '',
  authnContexts: '',
  ssnAttribute: '',
  emailAttribute: '',
  nameIdIsEmail: false,
  firstNameAttribute: '',
  lastNameAttribute: '',
  assertsNumbers: false,
  active: false,
}

interface SamlConfigFieldsProps {
  form: FormOf<typeof samlConfigForm>
  /** As it is saved; undefined for a new one. */
  saved?: SamlConfigDetails
}

/** What a SAML configuration is made of. */
export function SamlConfigFields({ form, saved }: SamlConfigFieldsProps) {
  const { t } = useTranslation()
  const certificate = useWatch({ control: form.form.control, name: 'certificate' })
  // An older configuration may have none, and keeps working.
  const entityIdOptional = saved && !saved.entityId
  return (
    <>
      <Field {...form.field('name')}>
        <TextInput autoComplete="off" {...form.register('name')} />
      </Field>
      <Field {...form.field('domain')} hint={t('domainHint')}>
        <TextInput type="url" autoComplete="off" spellCheck={false} {...form.register('domain')} />
      </Field>
      <FieldGroup legend={t('identityProvider')} hint={t('identityProviderHint')}>
        <Field {...form.field('entityId')} optionalText={entityIdOptional ? t('optional') : undefined}>
          <TextInput autoComplete="off" spellCheck={false} autoCapitalize="none" {...form.register('entityId')} />
        </Field>
        <Field {...form.field('url')} hint={t('samlUrlHint')}>
          <TextInput type="url" autoComplete="off" spellCheck={false} {...form.register('url')} />
        </Field>
        <Field {...form.field('logoutUrl')} optionalText={t('optional')} hint={t('samlLogoutUrlHint')}>
          <TextInput type="url" autoComplete="off" spellCheck={false} {...form.register('logoutUrl')} />
        </Field>
        <Field {...form.field('certificate')} hint={t('certificateHint')}>
          <TextArea
            mono
            rows={20}
            className={styles.certificate}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            {...form.register('certificate')}
          />
        </Field>
        <CertificateStates text={certificate} saved={saved} />
      </FieldGroup>
      <FieldGroup legend={t('signatures')} hint={t('signaturesHint')}>
        <Choice form={form} name="wantAssertionsSigned" hint={t('wantAssertionsSignedHint')} />
        <Choice form={form} name="wantAuthnResponseSigned" hint={t('wantAuthnResponseSignedHint')} />
        <Choice form={form} name="requestSigningEnabled" hint={t('requestSigningEnabledHint')} />
        <Choice form={form} name="encryptionEnabled" hint={t('encryptionEnabledHint')} />
        <Choice form={form} name="cbcAllowed" hint={t('cbcAllowedHint')} />
      </FieldGroup>
      <FieldGroup legend={t('ssn')}>
        <Choice form={form} name="assertsNumbers" hint={t('assertsNumbersHint')} />
      </FieldGroup>
      <MoreSettings form={form} saved={saved} />
      {saved ? <ActiveSwitch form={form} saved={saved} /> : <Alert tone="info">{t('samlConfigBeginsOff')}</Alert>}
    </>
  )
}

interface ChoiceProps {
  form: FormOf<typeof samlConfigForm>
  name:
    | 'assertsNumbers'
    | 'wantAssertionsSigned'
    | 'wantAuthnResponseSigned'
    | 'requestSigningEnabled'
    | 'encryptionEnabled'
    | 'cbcAllowed'
  hint: string
}

function Choice({ form, name, hint }: ChoiceProps) {
  const { id, label, error } = form.field(name)
  return <Switch id={id} label={label} hint={hint} error={error} {...form.register(name)} />
}
