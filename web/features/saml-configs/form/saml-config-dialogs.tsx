import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import {
  type SamlConfigDetails,
  type SamlConfigForm,
  samlConfigForm,
  samlConfigLabels,
  samlConfigs,
} from '#contract/saml-configs/saml-configs.ts'
import { samlTests } from '#contract/saml-configs/saml-tests.ts'
import { useFormAndHistory } from '#web/features/audit-events/audit-events.tsx'
import { DeleteFlow } from '#web/lib/dialogs/delete-flow.tsx'
import { type CloseDialog, useCloseDialog } from '#web/lib/dialogs/dialog-route.ts'
import { useEntityDialog } from '#web/lib/dialogs/entity-dialog.ts'
import { FormDialog } from '#web/lib/dialogs/form-dialog.tsx'
import { LoadingDialog } from '#web/lib/dialogs/loading-dialog.tsx'
import type { Describe } from '#web/lib/forms/changed-by-others.tsx'
import { draftFrom } from '#web/lib/forms/draft.ts'
import { call } from '#web/lib/requests/api.ts'
import { ApiProblem } from '#web/lib/requests/api-problem.ts'
import { freshQuery } from '#web/lib/requests/query.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { FurtherDomains } from '../domains/further-domains.tsx'
import { MetadataWatchFields } from '../metadata/metadata-watch.tsx'
import styles from '../saml-configs.module.css'
import { TestSignIn } from '../sign-ins/test-sign-in.tsx'
import { ConfigSummary } from '../state/config-summary.tsx'
import { EditOidcConfig } from './oidc-config-dialog.tsx'
import { newSamlConfig, SamlConfigFields } from './saml-config-fields.tsx'
import { ServiceProviderValues } from './service-provider-values.tsx'

const route = getRouteApi('/saml-configuration/$samlConfigId')
const read = (id: string) => freshQuery(samlConfigs.read, { params: { id } })

export const samlDraft = {
  labels: samlConfigLabels,
  draftOf: (samlConfig: Partial<SamlConfigDetails>) => draftFrom(newSamlConfig, samlConfig),
  nameOf: ({ name }: SamlConfigForm) => name,
}

export function EditSamlConfigDialog() {
  const { t } = useTranslation()
  const { samlConfigId } = route.useParams()
  const onClose = useCloseDialog('/saml-configuration')
  const question = useQuery(read(samlConfigId))
  const shown = { size: 'wide' as const, title: t('editSamlConfig'), onClose }
  const { data, error } = question
  if (!data && error instanceof ApiProblem && error.status === 404)
    return (
      <Dialog open {...shown} closeLabel={t('close')}>
        <p>{t('samlConfigMissing')}</p>
      </Dialog>
    )
  return (
    <LoadingDialog query={question} {...shown}>
      {(samlConfig) =>
        samlConfig.kind === 'oidc' ? (
          <EditOidcConfig key={samlConfigId} samlConfig={samlConfig} read={read(samlConfigId)} onClose={onClose} />
        ) : (
          <EditSamlConfig key={samlConfigId} samlConfig={samlConfig} onClose={onClose} />
        )
      }
    </LoadingDialog>
  )
}

function EditSamlConfig({ samlConfig, onClose }: { samlConfig: SamlConfigDetails; onClose: CloseDialog }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const update = useSave(samlConfigs.update, { inline: true })
  const remove = useSave(samlConfigs.remove, { inline: true })
  const { id, name } = samlConfig
  const dialog = useEntityDialog({
    ...samlDraft,
    schema: samlConfigForm,
    entity: samlConfig,
    reload: () => client.fetchQuery(read(String(id))),
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
      describe={useDescribe()}
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
          <SamlConfigFields form={dialog.form} saved={samlConfig} />
          <FurtherDomains samlConfigId={id} />
          <MetadataWatchFields samlConfig={samlConfig} />
          <details className={styles.more}>
            <summary>{t('serviceProvider')}</summary>
            <div className={styles.moreFields}>
              <ServiceProviderValues of={samlConfig.serviceProvider} />
            </div>
          </details>
          <TestSignIn
            form={dialog.form}
            schema={samlConfigForm}
            begin={(input) => call(samlTests.begin, { input: { ...input, id } })}
          />
        </>,
      )}
    </FormDialog>
  )
}

/** A switch as on or off, and the end of a certificate, because all of them begin alike. */
function useDescribe(): Describe {
  const { t } = useTranslation()
  return (name, value) => {
    if (typeof value === 'boolean') return { text: t(value ? 'switchedOn' : 'switchedOff') }
    if (name !== 'certificate') return {}
    return {
      text: `… ${String(value)
        .replaceAll(/-----[^-]+-----|\s/g, '')
        .slice(-24)}`,
    }
  }
}
