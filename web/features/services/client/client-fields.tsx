import type { ReactNode } from 'react'
import { Controller, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { MessageKey } from '#contract/message-key.ts'
import { isPublicKind } from '#contract/service-clients/client-form.ts'
import { asNumber, type FormOf } from '#web/lib/forms/form.ts'
import { Alert } from '#web/ui/alert.tsx'
import { Checkbox, Switch } from '#web/ui/fields/checkbox.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { FieldGroup } from '#web/ui/fields/field-group.tsx'
import { RadioCards } from '#web/ui/fields/radio-cards.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import { ApiFields, DirectoryAccess, IdTokenFields } from './api-fields.tsx'
import styles from './client.module.css'
import { chosenScopes, type clientDraft } from './client-draft.ts'
import { ClientKnowledge } from './client-knowledge.tsx'

type Form = FormOf<typeof clientDraft>

const kinds = [
  ['none', 'clientKindNone', 'clientKindNoneHint'],
  ['web', 'clientKindWeb', 'clientKindWebHint'],
  ['singlePage', 'clientKindSinglePage', 'clientKindSinglePageHint'],
  ['native', 'clientKindNative', 'clientKindNativeHint'],
  ['machine', 'clientKindMachine', 'clientKindMachineHint'],
] as const satisfies readonly (readonly [string, MessageKey, MessageKey])[]

const authentications = [
  ['client_secret_basic', 'authenticationBasic'],
  ['client_secret_post', 'authenticationPost'],
  ['private_key_jwt', 'authenticationKey'],
] as const satisfies readonly (readonly [string, MessageKey])[]

const scopeTexts: Readonly<Record<(typeof chosenScopes)[number], MessageKey>> = {
  profile: 'scopeProfile',
  email: 'scopeEmail',
  phone: 'scopePhone',
  organizations: 'scopeOrganizations',
  organization: 'scopeOrganization',
}

/** How people sign in to a service: what goes with the chosen kind. */
export function ClientFields({ form, logoutTest }: { form: Form; logoutTest: ReactNode }) {
  const { t } = useTranslation()
  const { control } = form.form
  const kind = useWatch({ control, name: 'kind' })
  return (
    <>
      <Controller
        control={control}
        name="kind"
        render={({ field: { value, onChange, name } }) => (
          <RadioCards
            id={form.field('kind').id}
            name={name}
            legend={form.field('kind').label}
            options={kinds.map(([one, label, hint]) => ({ value: one, label: t(label), hint: t(hint) }))}
            value={value}
            onChange={onChange}
            error={form.field('kind').error}
          />
        )}
      />
      {kind !== 'none' && !isPublicKind(kind) && <Authentication form={form} />}
      {kind !== 'none' && kind !== 'machine' && <Addresses form={form} />}
      {kind === 'web' && <LogoutAddress form={form} />}
      {kind === 'web' && logoutTest}
      {(kind === 'web' || kind === 'singlePage') && <FrameAddress form={form} />}
      {kind === 'web' && <Pkce form={form} />}
      {kind !== 'none' && kind !== 'machine' && (
        <FieldGroup legend={t('clientScopes')}>
          {chosenScopes.map((scope) => (
            <Checkbox
              key={scope}
              label={t(scopeTexts[scope])}
              hint={<code>{scope}</code>}
              {...form.register(`scopes.${scope}`)}
            />
          ))}
        </FieldGroup>
      )}
      {kind !== 'none' && kind !== 'machine' && <ClientKnowledge form={form} kind={kind} />}
      {kind !== 'none' && kind !== 'machine' && <IdTokenFields form={form} />}
      {kind !== 'none' && !isPublicKind(kind) && <DirectoryAccess form={form} />}
      {kind !== 'none' && <ApiFields form={form} kind={kind} />}
      {kind !== 'none' && <Lifetimes form={form} machine={kind === 'machine'} />}
    </>
  )
}

function Authentication({ form }: { form: Form }) {
  const { t } = useTranslation()
  const authentication = useWatch({ control: form.form.control, name: 'authentication' })
  return (
    <>
      <Field {...form.field('authentication')}>
        <Select {...form.register('authentication')}>
          {authentications.map(([value, label]) => (
            <option key={value} value={value}>
              {t(label)}
            </option>
          ))}
        </Select>
      </Field>
      {authentication === 'private_key_jwt' && (
        <>
          <Field {...form.field('jwks')} optionalText={t('optional')}>
            <TextArea mono rows={6} spellCheck={false} placeholder={'{"keys": [ … ]}'} {...form.register('jwks')} />
          </Field>
          <Field {...form.field('jwksUri')} hint={t('clientJwksUriHint')} optionalText={t('optional')}>
            <TextInput type="url" autoComplete="off" spellCheck={false} {...form.register('jwksUri')} />
          </Field>
        </>
      )}
    </>
  )
}

function Addresses({ form }: { form: Form }) {
  const { t } = useTranslation()
  return (
    <>
      <Field {...form.field('redirectUris')} hint={t('redirectUrisHint')}>
        <TextArea rows={2} mono spellCheck={false} {...form.register('redirectUris')} />
      </Field>
      <Field
        {...form.field('postLogoutRedirectUris')}
        hint={t('postLogoutRedirectUrisHint')}
        optionalText={t('optional')}
      >
        <TextArea rows={2} mono spellCheck={false} {...form.register('postLogoutRedirectUris')} />
      </Field>
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

function Pkce({ form }: { form: Form }) {
  const { t } = useTranslation()
  const required = useWatch({ control: form.form.control, name: 'pkceRequired' })
  const { id, label, error } = form.field('pkceRequired')
  return (
    <>
      <Switch id={id} label={label} error={error} hint={t('pkceRequiredHint')} {...form.register('pkceRequired')} />
      {!required && (
        <Alert tone="warn" live="status">
          {t('pkceOffWarning')}
        </Alert>
      )}
    </>
  )
}

function Lifetimes({ form, machine }: { form: Form; machine: boolean }) {
  const { t } = useTranslation()
  const number = (name: 'accessMinutes' | 'idMinutes' | 'refreshHours') => ({
    inputMode: 'numeric' as const,
    autoComplete: 'off',
    ...form.register(name, { setValueAs: asNumber }),
  })
  return (
    <FieldGroup legend={t('lifetimes')} hint={machine ? undefined : t('refreshHoursHint')}>
      <div className={styles.numbers}>
        <Field {...form.field('accessMinutes')}>
          <TextInput {...number('accessMinutes')} />
        </Field>
        {!machine && (
          <>
            <Field {...form.field('idMinutes')}>
              <TextInput {...number('idMinutes')} />
            </Field>
            <Field {...form.field('refreshHours')} optionalText={t('optional')}>
              <TextInput {...number('refreshHours')} />
            </Field>
          </>
        )}
      </div>
    </FieldGroup>
  )
}
