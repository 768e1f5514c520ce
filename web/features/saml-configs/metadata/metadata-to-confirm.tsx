import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { AnswerOf } from '#contract/route.ts'
import type { samlMetadataAddress } from '#contract/saml-configs/saml-metadata-address.ts'
import { openedFromPage } from '#web/lib/dialogs/dialog-route.ts'
import { messageText } from '#web/lib/texts/i18n.ts'
import { Alert } from '#web/ui/alert.tsx'

/** Configurations whose metadata has a certificate to confirm, or could not be read. */
export function MetadataToConfirm({ rows }: { rows: AnswerOf<typeof samlMetadataAddress.list> }) {
  const { t } = useTranslation()
  return (
    <Alert tone="warn" title={t('metadataToConfirm')}>
      <ul>
        {rows.map(({ id, name, newCertificates, problem }) => (
          <li key={id}>
            <Link
              to="/saml-configuration/$samlConfigId"
              params={{ samlConfigId: String(id) }}
              search={true}
              state={openedFromPage}
            >
              {name}
            </Link>
            {': '}
            {newCertificates > 0 ? t('metadataNewCertificate') : problem && messageText(problem)}
          </li>
        ))}
      </ul>
    </Alert>
  )
}
