import { useTranslation } from 'react-i18next'
import { dateLocales } from '#contract/languages.ts'
import type { SystemState } from '#contract/system/system.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { DescriptionList } from '#web/ui/description-list.tsx'

/** Version, size and connections of the database. */
export function DatabaseFacts({ database }: { database: SystemState['database'] }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const { version, bytes, pool, connections, mostConnections, replicas } = database
  const size = new Intl.NumberFormat(dateLocales[language], {
    style: 'unit',
    unit: 'megabyte',
    maximumFractionDigits: 0,
  }).format(bytes / 1024 / 1024)
  return (
    <DescriptionList
      items={[
        { term: t('nodeVersion'), value: `PostgreSQL ${version}` },
        { term: t('databaseSize'), value: size },
        { term: t('databasePool'), value: t('databasePoolUse', pool) },
        { term: t('databaseConnections'), value: t('databaseConnectionsOf', { connections, most: mostConnections }) },
        { term: t('databaseReplicas'), value: String(replicas) },
      ]}
    />
  )
}
