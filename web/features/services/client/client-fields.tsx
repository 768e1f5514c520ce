import { Controller, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { MessageKey } from '#contract/message-key.ts'
import { isPublicKind } from '#contract/service-clients/client-form.ts'
import type { FormOf } from '#web/lib/forms/form.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { RadioCards } from '#web/ui/fields/radio-cards.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import type { clientDraft } from './client-draft.ts'

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

/** What the client is, how it proves that, and where people return to. */
export function ConnectFields({ form }: { form: Form }) {
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
      {kind !== 'none' && kind !== 'machine' && (
        <Field {...form.field('redirectUris')} hint={t('redirectUrisHint')}>
          <TextArea rows={2} mono spellCheck={false} {...form.register('redirectUris')} />
        </Field>
      )}
      {kind !== 'none' && !isPublicKind(kind) && <Authentication form={form} />}
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
