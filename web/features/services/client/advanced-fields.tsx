import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { MessageKey } from '#contract/message-key.ts'
import type { ClientKind } from '#contract/service-clients/client-addresses.ts'
import { isPublicKind } from '#contract/service-clients/client-form.ts'
import { asNumber, type FormOf } from '#web/lib/forms/form.ts'
import { Alert } from '#web/ui/alert.tsx'
import { Checkbox, Switch } from '#web/ui/fields/checkbox.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { FieldGroup } from '#web/ui/fields/field-group.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import { ApiFields, DirectoryAccess, IdTokenFields } from './api-fields.tsx'
import styles from './client.module.css'
import { chosenScopes, type clientDraft } from './client-draft.ts'
import { ClientKnowledge } from './client-knowledge.tsx'

type Form = FormOf<typeof clientDraft>

const scopeTexts: Readonly<Record<(typeof chosenScopes)[number], MessageKey>> = {
  profile: 'scopeProfile',
  email: 'scopeEmail',
  phone: 'scopePhone',
  organizations: 'scopeOrganizations',
  organization: 'scopeOrganization',
}

/** What few services need to change. */
export function AdvancedFields({ form, kind }: { form: Form; kind: ClientKind }) {
  const { t } = useTranslation()
  return (
    <>
      {kind === 'web' && <Pkce form={form} />}
      {kind !== 'machine' && (
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
      {kind !== 'machine' && <ClientKnowledge form={form} kind={kind} />}
      {kind !== 'machine' && <IdTokenFields form={form} />}
      {!isPublicKind(kind) && <DirectoryAccess form={form} />}
      <ApiFields form={form} kind={kind} />
      <Lifetimes form={form} machine={kind === 'machine'} />
    </>
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
