import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { oidcConfigForm, oidcConfigFormBySecret, oidcConfigs } from '#contract/saml-configs/oidc-configs.ts'
import {
  newSamlConfigForm,
  type SamlConfigKind,
  type samlConfigForm,
  samlConfigs,
} from '#contract/saml-configs/saml-configs.ts'
import type { IdentityProvider } from '#contract/saml-configs/saml-metadata.ts'
import { useCloseDialog } from '#web/lib/dialogs/dialog-route.ts'
import { useEntityDialog } from '#web/lib/dialogs/entity-dialog.ts'
import { FormDialog } from '#web/lib/dialogs/form-dialog.tsx'
import type { FormOf } from '#web/lib/forms/form.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { Switch } from '#web/ui/fields/checkbox.tsx'
import { RadioCards } from '#web/ui/fields/radio-cards.tsx'
import { MetadataReader, type MetadataSource } from '../metadata/metadata-reader.tsx'
import { oidcDraft } from './oidc-config-dialog.tsx'
import { OidcConfigFields } from './oidc-config-fields.tsx'
import { samlDraft } from './saml-config-dialogs.tsx'
import { SamlConfigFields } from './saml-config-fields.tsx'

/** A new configuration, of the protocol that is chosen first. What was typed for the other one is kept meanwhile. */
export function CreateSamlConfigDialog() {
  const { t } = useTranslation()
  const onClose = useCloseDialog('/saml-configuration')
  const [kind, setKind] = useState<SamlConfigKind>('saml')
  const [byKey, setByKey] = useState(false)
  const [source, setSource] = useState<MetadataSource>()
  const [watches, setWatches] = useState(true)
  const createSaml = useSave(samlConfigs.create, { inline: true })
  const createOidc = useSave(oidcConfigs.create, { inline: true })
  const saml = useEntityDialog({
    ...samlDraft,
    schema: newSamlConfigForm,
    onClose,
    save: (input) => createSaml.mutateAsync({ input: { ...input, ...(source && watches && { metadata: source }) } }),
  })
  const oidc = useEntityDialog({
    ...oidcDraft,
    schema: byKey ? oidcConfigForm : oidcConfigFormBySecret,
    onClose,
    save: (input) => createOidc.mutateAsync({ input }),
  })
  // The schema of the form depends on one of its values.
  const chosen = useWatch({ control: oidc.form.form.control, name: 'clientKey' }) ?? false
  if (chosen !== byKey) setByKey(chosen)
  const shown = { size: 'wide', title: t('createSamlConfig'), subtitle: t('createSamlConfigText') } as const
  const choice = (
    <RadioCards
      legend={t('samlConfigKind')}
      value={kind}
      onChange={(chosen) => setKind(chosen as SamlConfigKind)}
      options={[
        { value: 'saml', label: t('samlConfigKindSaml'), hint: t('samlConfigKindSamlHint') },
        { value: 'oidc', label: t('samlConfigKindOidc'), hint: t('samlConfigKindOidcHint') },
      ]}
    />
  )
  return kind === 'saml' ? (
    <FormDialog {...saml} {...shown}>
      {choice}
      <MetadataReader
        onRead={(provider, source) => {
          fillIn(saml.form.form, provider)
          setSource(source)
        }}
      />
      {source && (
        <Switch
          label={t('metadataWatch')}
          hint={t('metadataWatchHint')}
          checked={watches}
          onChange={(event) => setWatches(event.target.checked)}
        />
      )}
      <SamlConfigFields form={saml.form} />
    </FormDialog>
  ) : (
    <FormDialog {...oidc} {...shown}>
      {choice}
      <OidcConfigFields form={oidc.form} />
    </FormDialog>
  )
}

/** What metadata leaves out is left as it was typed. */
function fillIn(form: FormOf<typeof samlConfigForm>['form'], provider: IdentityProvider) {
  const names = [
    'entityId',
    'url',
    'postRequests',
    'logoutUrl',
    'logoutResponseUrl',
    'postLogout',
    'certificate',
  ] as const
  for (const name of [...names, 'requestSigningEnabled'] as const) {
    const value = provider[name]
    if (value === null || value === '') continue
    form.setValue(name, value, { shouldDirty: true })
    form.clearErrors(name)
  }
}
