import { useTranslation } from 'react-i18next'
import type { CertificateState } from '#contract/saml-configs/saml-certificates.ts'
import type { SamlConfigDetails } from '#contract/saml-configs/saml-configs.ts'
import { samlMetadataAddress } from '#contract/saml-configs/saml-metadata-address.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { Certificates } from '#web/lib/saml/certificates.tsx'
import { useSay } from '#web/lib/saml/use-say.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { problemText } from '#web/lib/texts/problem-text.ts'
import { Alert } from '#web/ui/alert.tsx'
import { Button } from '#web/ui/button.tsx'
import { toasts } from '#web/ui/toast/toast-store.ts'
import styles from '../saml-configs.module.css'

interface NewCertificatesProps {
  samlConfig: Pick<SamlConfigDetails, 'id' | 'version'>
  states: readonly CertificateState[]
}

/** Certificates that the metadata has and the configuration does not, to compare and confirm. */
export function NewCertificates({ samlConfig: { id, version }, states }: NewCertificatesProps) {
  const { t } = useTranslation()
  const say = useSay()
  const language = useLanguage()
  const confirm = useSave(samlMetadataAddress.confirm, { inline: true })
  if (states.length === 0) return null
  const fingerprints = states.flatMap(({ fingerprint }) => fingerprint ?? [])
  return (
    <>
      <Alert tone="warn" title={t('metadataNewCertificate')}>
        {t('metadataNewCertificateText')}
      </Alert>
      <Certificates states={states} say={say} language={language} />
      {confirm.error && (
        <Alert tone="danger" live="alert">
          {problemText(confirm.error)}
        </Alert>
      )}
      <div className={styles.sources}>
        <Button
          loading={confirm.isPending}
          onClick={() =>
            confirm.mutate(
              { params: { id: String(id) }, input: { fingerprints, version } },
              { onSuccess: () => toasts.show({ tone: 'success', title: t('updated') }) },
            )
          }
        >
          {t('metadataConfirm')}
        </Button>
      </div>
    </>
  )
}
