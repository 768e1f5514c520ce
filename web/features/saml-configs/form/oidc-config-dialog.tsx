import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import {
  type OidcConfigForm,
  oidcConfigForm,
  oidcConfigLabels,
  oidcConfigs,
  oidcTests,
} from '#contract/saml-configs/oidc-configs.ts'
import { type SamlConfigDetails, samlConfigs } from '#contract/saml-configs/saml-configs.ts'
import { useFormAndHistory } from '#web/features/audit-events/audit-events.tsx'
import { DeleteFlow } from '#web/lib/dialogs/delete-flow.tsx'
import type { CloseDialog } from '#web/lib/dialogs/dialog-route.ts'
import { useEntityDialog } from '#web/lib/dialogs/entity-dialog.ts'
import { FormDialog } from '#web/lib/dialogs/form-dialog.tsx'
import { draftFrom } from '#web/lib/forms/draft.ts'
import { call } from '#web/lib/requests/api.ts'
import type { freshQuery } from '#web/lib/requests/query.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { FurtherDomains } from '../domains/further-domains.tsx'
import styles from '../saml-configs.module.css'
import { TestSignIn } from '../sign-ins/test-sign-in.tsx'
import { ConfigSummary } from '../state/config-summary.tsx'
import { newOidcConfig, OidcConfigFields } from './oidc-config-fields.tsx'
import { OidcClientValues } from './service-provider-values.tsx'

export const oidcDraft = {
  labels: oidcConfigLabels,
  draftOf: (saved: Partial<SamlConfigDetails>) => draftFrom(newOidcConfig, saved),
  nameOf: ({ name }: OidcConfigForm) => name,
}

interface EditOidcConfigProps {
  samlConfig: SamlConfigDetails
  /** How it is read again. */
  read: ReturnType<typeof freshQuery<typeof samlConfigs.read>>
  onClose: CloseDialog
}

export function EditOidcConfig({ samlConfig, read, onClose }: EditOidcConfigProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const update = useSave(oidcConfigs.update, { inline: true })
  const remove = useSave(samlConfigs.remove, { inline: true })
  const { id, name } = samlConfig
  const dialog = useEntityDialog({
    ...oidcDraft,
    schema: oidcConfigForm,
    entity: samlConfig,
    reload: () => client.fetchQuery(read),
    onClose,
    save: (input, { version }) => update.mutateAsync({ input: { ...input, id, version } }),
  })
  const { reveal, tabsAround } = useFormAndHistory(dialog.form, String(id))
  return (
    <FormDialog
      {...dialog}
      size="wide"
      title={t('editSamlConfig')}
      subtitle={name}
      reveal={reveal}
      describe={(_, value) => (typeof value === 'boolean' ? { text: t(value ? 'switchedOn' : 'switchedOff') } : {})}
      footerStart={
        <DeleteFlow
          name={name}
          text={t('deleteSamlConfigText')}
          remove={() => remove.mutateAsync({ params: { id: String(id) } })}
          onClose={onClose}
        />
      }
    >
      {tabsAround(
        name,
        <>
          <ConfigSummary config={samlConfig} />
          <OidcConfigFields form={dialog.form} saved={samlConfig} />
          <FurtherDomains samlConfigId={id} />
          <details className={styles.more}>
            <summary>{t('serviceProvider')}</summary>
            <div className={styles.moreFields}>
              <OidcClientValues of={samlConfig.serviceProvider} form={dialog.form} />
            </div>
          </details>
          <TestSignIn
            form={dialog.form}
            schema={oidcConfigForm}
            begin={(input) => call(oidcTests.begin, { input: { ...input, id } })}
          />
        </>,
      )}
    </FormDialog>
  )
}
