import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { type Path, type PathValue, type UseFormReturn, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { oidcConfigForm, oidcConfigFormBySecret, oidcConfigs } from '#contract/saml-configs/oidc-configs.ts'
import {
  newSamlConfigForm,
  type SamlConfigKind,
  type samlConfigForm,
  samlConfigs,
} from '#contract/saml-configs/saml-configs.ts'
import type { IdentityProvider } from '#contract/saml-configs/saml-metadata.ts'
import { samlReservations } from '#contract/saml-configs/saml-reservations.ts'
import type { CloseDialog } from '#web/lib/dialogs/dialog-route.ts'
import { useEntityDialog } from '#web/lib/dialogs/entity-dialog.ts'
import { FormDialog } from '#web/lib/dialogs/form-dialog.tsx'
import type { FormOf } from '#web/lib/forms/form.ts'
import { call } from '#web/lib/requests/api.ts'
import { problemText } from '#web/lib/texts/problem-text.ts'
import { Alert } from '#web/ui/alert.tsx'
import { Button } from '#web/ui/button.tsx'
import { Switch } from '#web/ui/fields/checkbox.tsx'
import { MetadataReader, type MetadataSource } from '../metadata/metadata-reader.tsx'
import { ForOrganization, type ForWhom } from './for-organization.tsx'
import { oidcDraft } from './oidc-config-dialog.tsx'
import { OidcConfigFields } from './oidc-config-fields.tsx'
import { ProtocolChoice, ProviderTiles } from './provider-tiles.tsx'
import { samlDraft } from './saml-config-dialogs.tsx'
import { SamlConfigFields } from './saml-config-fields.tsx'
import { OidcClientValues, ServiceProviderValues } from './service-provider-values.tsx'

interface CreateConfigProps {
  /** For whom it is; it gets the configuration, where it has none. Otherwise one can be chosen. */
  organization?: ForWhom
  backLabel?: string
  onClose: CloseDialog
  onCreated: (created: { id: number }) => void
}

/**
 * A new configuration: the identity provider first, then what its administrators must know, then what they give back. What
 * was typed for another provider or protocol is kept.
 */
export function CreateConfig({ organization, backLabel, onClose, onCreated }: CreateConfigProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [product, setProduct] = useState<string>()
  const [kind, setKind] = useState<SamlConfigKind>('saml')
  const [byKey, setByKey] = useState(false)
  const [source, setSource] = useState<MetadataSource>()
  const [fromMetadata, setFromMetadata] = useState(false)
  const [watches, setWatches] = useState(true)
  const [chosen, setChosen] = useState<ForWhom>()
  const forOrganization = organization ?? chosen
  const created = useRef<{ id: number }>(undefined)
  const reserve = useMutation({ mutationFn: () => call(samlReservations.create), meta: { inline: true } })
  const forWhom = {
    ...(reserve.data && { reservation: reserve.data.reservation }),
    ...(forOrganization && { organizationId: forOrganization.organizationId }),
  }
  const keep = (answer: { id: number }) => {
    created.current = answer
    void client.invalidateQueries()
  }
  const known = organization && { name: organization.name }
  const closed: CloseDialog = (why) => (created.current ? onCreated(created.current) : onClose(why))
  const saml = useEntityDialog({
    ...samlDraft,
    draftOf: (saved) => samlDraft.draftOf({ ...known, ...saved }),
    schema: newSamlConfigForm,
    onClose: closed,
    save: async (input) => {
      const metadata = source && watches ? { metadata: source } : {}
      keep(await call(samlConfigs.create, { input: { ...input, ...metadata, ...forWhom } }))
    },
  })
  const oidc = useEntityDialog({
    ...oidcDraft,
    draftOf: (saved) => oidcDraft.draftOf({ ...known, ...saved }),
    schema: byKey ? oidcConfigForm : oidcConfigFormBySecret,
    onClose: closed,
    save: async (input) => keep(await call(oidcConfigs.create, { input: { ...input, ...forWhom } })),
  })
  // The schema of the form depends on one of its values.
  const hasKey = useWatch({ control: oidc.form.form.control, name: 'clientKey' }) ?? false
  if (hasKey !== byKey) setByKey(hasKey)
  const choose = (name: string) => {
    setProduct(name)
    if (!reserve.data && !reserve.isPending) reserve.mutate()
  }
  const chooseOrganization = (next: ForWhom | undefined) => {
    const names = { before: chosen?.name ?? '', next: next?.name ?? '' }
    nameAfter(saml.form.form, names)
    nameAfter(oidc.form.form, names)
    setChosen(next)
  }
  const forWhomField = !organization && <ForOrganization value={chosen} onChoose={chooseOrganization} />
  const shown = {
    size: 'wide',
    title: t('createSamlConfig'),
    subtitle: organization?.name,
    backLabel,
    saveLabel: product === undefined ? undefined : t('create'),
  } as const
  const values = reserve.data?.serviceProvider
  const first = (
    <>
      <ProviderTiles value={product} onChoose={choose} />
      {product !== undefined && <ProtocolChoice value={kind} onChoose={setKind} />}
      {reserve.error && (
        <Alert tone="danger" live="alert" action={<Button onClick={() => reserve.mutate()}>{t('tryAgain')}</Button>}>
          {problemText(reserve.error)}
        </Alert>
      )}
    </>
  )
  return kind === 'saml' ? (
    <FormDialog {...saml} {...shown}>
      {first}
      {product !== undefined && (
        <>
          {values && <ServiceProviderValues of={values} product={product} />}
          <MetadataReader
            onRead={(provider, source) => {
              fillIn(saml.form.form, provider)
              setSource(source)
              setFromMetadata(true)
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
          {forWhomField}
          <SamlConfigFields form={saml.form} fromMetadata={fromMetadata} />
        </>
      )}
    </FormDialog>
  ) : (
    <FormDialog {...oidc} {...shown}>
      {first}
      {product !== undefined && (
        <>
          {values && <OidcClientValues of={values} form={oidc.form} product={product} />}
          {forWhomField}
          <OidcConfigFields form={oidc.form} />
        </>
      )}
    </FormDialog>
  )
}

/** The configuration is called as the organisation, unless a name was typed. */
function nameAfter<Draft extends { name: string }>(
  { getValues, setValue, clearErrors }: Pick<UseFormReturn<Draft>, 'getValues' | 'setValue' | 'clearErrors'>,
  names: { before: string; next: string },
) {
  const name = 'name' as Path<Draft>
  if (String(getValues(name)) !== names.before) return
  setValue(name, names.next as PathValue<Draft, Path<Draft>>, { shouldDirty: true })
  if (names.next) clearErrors(name)
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
