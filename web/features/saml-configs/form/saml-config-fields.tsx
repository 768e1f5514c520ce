import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type * as z from 'zod/mini'
import { defaultClockSkew } from '#contract/saml-configs/saml-bindings.ts'
import type { SamlConfigDetails, samlConfigForm } from '#contract/saml-configs/saml-configs.ts'
import type { FormOf } from '#web/lib/forms/form.ts'
import { Alert } from '#web/ui/alert.tsx'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { FieldGroup } from '#web/ui/fields/field-group.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import { CertificateStates } from '../metadata/certificate-states.tsx'
import styles from '../saml-configs.module.css'
import { ActiveSwitch } from './active-switch.tsx'
import { Choice } from './choice.tsx'
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
  /** Filled in from metadata. */
  fromMetadata?: boolean
}

/** What a SAML configuration is made of. */
export function SamlConfigFields({ form, saved, fromMetadata }: SamlConfigFieldsProps) {
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
        <Certificate form={form} fold={saved !== undefined || fromMetadata === true} />
        <CertificateStates text={certificate} saved={saved} />
      </FieldGroup>
      <FieldGroup legend={t('signatures')} hint={t('signaturesHint')}>
        <Choice form={form} name="wantAssertionsSigned" hint={t('wantAssertionsSignedHint')} />
        <Choice form={form} name="wantAuthnResponseSigned" hint={t('wantAuthnResponseSignedHint')} />
        <Choice form={form} name="requestSigningEnabled" hint={t('requestSigningEnabledHint')} />
      </FieldGroup>
      <MoreSettings form={form} />
      {saved ? <ActiveSwitch form={form} saved={saved} /> : <Alert tone="info">{t('samlConfigBeginsOff')}</Alert>}
    </>
  )
}

/** The raw text, which few need to see where there is one: what it says stands below. */
function Certificate({ form, fold }: { form: FormOf<typeof samlConfigForm>; fold: boolean }) {
  const { t } = useTranslation()
  const [shown, setShown] = useState(false)
  const field = form.field('certificate')
  if (fold && !shown && !field.error)
    return (
      <div>
        <Button size="small" aria-expanded={false} onClick={() => setShown(true)}>
          {t('certificateShow')}
        </Button>
      </div>
    )
  return (
    <Field {...field} hint={t('certificateHint')}>
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
  )
}
