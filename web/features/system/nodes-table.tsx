import Server from 'lucide-react/icons/server'
import { useTranslation } from 'react-i18next'
import type { SystemState } from '#contract/system/system.ts'
import { dateTimeText } from '#web/lib/texts/dates.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { Badge } from '#web/ui/badge.tsx'
import { EmptyState } from '#web/ui/state.tsx'
import { type Column, Table } from '#web/ui/table/table.tsx'
import styles from './system.module.css'

type Node = SystemState['nodes'][number]

/** The processes that serve this database. */
export function NodesTable({ nodes }: { nodes: readonly Node[] }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const columns: Column<Node>[] = [
    { key: 'host', header: t('nodeHost'), rowHeader: true, cell: ({ host }) => host },
    {
      key: 'state',
      header: t('nodeState'),
      cell: ({ alive, here }) => (
        <span className={styles.badges}>
          <Badge tone={alive ? 'ok' : 'danger'}>{t(alive ? 'nodeAlive' : 'nodeGone')}</Badge>
          {here && <Badge>{t('nodeHere')}</Badge>}
        </span>
      ),
    },
    { key: 'version', header: t('nodeVersion'), cell: ({ version }) => version },
    { key: 'started', header: t('nodeStarted'), cell: ({ startedAt }) => dateTimeText(startedAt, language) },
    { key: 'seen', header: t('nodeSeen'), cell: ({ seenAt }) => dateTimeText(seenAt, language) },
  ]
  if (nodes.length === 0) return <EmptyState icon={Server}>{t('systemNoNodes')}</EmptyState>
  return <Table caption={t('systemNodes')} columns={columns} rows={nodes} rowKey={({ nodeId }) => nodeId} />
}
