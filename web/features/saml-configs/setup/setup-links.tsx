import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { SetupSummary } from '#contract/saml-setups/saml-setups.ts'
import { openedFromPage } from '#web/lib/dialogs/dialog-route.ts'
import { dateTimeText } from '#web/lib/texts/dates.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { Card } from '#web/ui/frame/page.tsx'
import { type Column, Table } from '#web/ui/table/table.tsx'
import styles from '../saml-configs.module.css'
import { SetupState } from './setup-state.tsx'

/** Links for IT teams, with what they submitted. */
export function SetupLinks({ rows }: { rows: readonly SetupSummary[] }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const columns: Column<SetupSummary>[] = [
    {
      key: 'organization',
      header: t('organization'),
      rowHeader: true,
      cell: ({ setupId, organizationName }) => (
        <Link to="/saml-configuration/setups/$setupId" params={{ setupId }} search={true} state={openedFromPage}>
          {organizationName}
        </Link>
      ),
    },
    { key: 'state', header: t('setupState'), cell: (setup) => <SetupState setup={setup} /> },
    { key: 'expires', header: t('setupExpires'), cell: ({ expiresAt }) => dateTimeText(expiresAt, language) },
  ]
  return (
    <section aria-labelledby="setup-links" className={styles.links}>
      <h2 id="setup-links">{t('setupLinks')}</h2>
      <Card flush>
        <Table caption={t('setupLinks')} columns={columns} rows={rows} rowKey={({ setupId }) => setupId} />
      </Card>
    </section>
  )
}
