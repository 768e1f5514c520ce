import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { ClientKind } from '#contract/service-clients/client-addresses.ts'
import { idTokenAlgorithms, isPublicKind } from '#contract/service-clients/client-form.ts'
import type { FormOf } from '#web/lib/forms/form.ts'
import { Switch } from '#web/ui/fields/checkbox.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { FieldGroup } from '#web/ui/fields/field-group.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import type { clientDraft } from './client-draft.ts'

interface Props {
  form: FormOf<typeof clientDraft>
}

/** The APIs that the service asks tokens for, and whether it is one itself. */
export function ApiFields({ form, kind }: Props & { kind: ClientKind }) {
  const { t } = useTranslation()
  const apiUri = useWatch({ control: form.form.control, name: 'apiUri' })
  return (
    <FieldGroup legend={t('apiTokens')}>
      <Field {...form.field('apis')} hint={t('apisHint')} optionalText={t('optional')}>
        <TextArea rows={2} mono spellCheck={false} {...form.register('apis')} />
      </Field>
      {!isPublicKind(kind) && (
        <Field {...form.field('apiUri')} hint={t('apiUriHint')} optionalText={t('optional')}>
          <TextInput autoComplete="off" spellCheck={false} {...form.register('apiUri')} />
        </Field>
      )}
      {!isPublicKind(kind) && apiUri && (
        <Field {...form.field('apiToken')}>
          <Select {...form.register('apiToken')}>
            <option value="jwt">{t('apiTokenJwt')}</option>
            <option value="opaque">{t('apiTokenOpaque')}</option>
          </Select>
        </Field>
      )}
    </FieldGroup>
  )
}

/** What the ID token carries, and how it is signed. */
export function IdTokenFields({ form }: Props) {
  const { t } = useTranslation()
  const { id, label, error } = form.field('idTokenClaims')
  return (
    <>
      <Switch id={id} label={label} error={error} hint={t('idTokenClaimsHint')} {...form.register('idTokenClaims')} />
      <Field {...form.field('idTokenAlgorithm')} hint={t('idTokenAlgorithmHint')}>
        <Select {...form.register('idTokenAlgorithm')}>
          {idTokenAlgorithms.map((algorithm) => (
            <option key={algorithm}>{algorithm}</option>
          ))}
        </Select>
      </Field>
    </>
  )
}

/** Whether the service itself, without a person, reads who has it. */
export function DirectoryAccess({ form }: Props) {
  const { t } = useTranslation()
  const { id, label, error } = form.field('directoryAccess')
  return (
    <Switch id={id} label={label} error={error} hint={t('directoryAccessHint')} {...form.register('directoryAccess')} />
  )
}
