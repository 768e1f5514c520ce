import { getRouteApi, Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type SamlConfigSummary, samlConfigLabels } from '#contract/saml-configs/saml-configs.ts'
import { openedFromPage } from '#web/lib/dialogs/dialog-route.ts'
import { nextOrder, type Order } from '#web/lib/lists/list-search.ts'
import { useSortLabels } from '#web/lib/texts/sort-labels.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Card } from '#web/ui/frame/page.tsx'
import { type Column, Table } from '#web/ui/table/table.tsx'
import styles from './saml-configs.module.css'
import { samlConfigsSearch } from './saml-configs-search.ts'

const page = getRouteApi('/saml-configuration')

export function SamlConfigsTable({ rows, busy }: { rows: readonly SamlConfigSummary[]; busy: boolean }) {
  const { t } = useTranslation()
  const { sort = 'name', sortDirection = 'asc' } = page.useSearch()
  const navigate = page.useNavigate()
  const order: Order<'name' | 'domain'> = { key: sort, direction: sortDirection }
  const columns: Column<SamlConfigSummary>[] = [
    {
      key: 'name',
      header: t(samlConfigLabels.name),
      sortable: true,
      rowHeader: true,
      cell: ({ id, name, active }) => (
        <span className={styles.named}>
          <Link
            to="/saml-configuration/$samlConfigId"
            params={{ samlConfigId: String(id) }}
            search={true}
            state={openedFromPage}
          >
            {name}
          </Link>
          {!active && <Badge tone="warn">{t('samlConfigOff')}</Badge>}
        </span>
      ),
    },
    {
      key: 'domain',
      header: t(samlConfigLabels.domain),
      sortable: true,
      cell: ({ domain, furtherDomains }) =>
        furtherDomains === 0 ? domain : t('domainAndMore', { domain, count: furtherDomains }),
    },
    {
      key: 'kind',
      header: t('samlConfigKind'),
      cell: ({ kind }) => t(kind === 'oidc' ? 'samlConfigKindOidc' : 'samlConfigKindSaml'),
    },
  ]
  return (
    <Card flush>
      <Table
        caption={t('samlConfigs')}
        columns={columns}
        rows={rows}
        rowKey={({ id }) => String(id)}
        sort={order}
        onSort={(key, direction) =>
          void navigate({ search: samlConfigsSearch(nextOrder(order, key, direction)), replace: true })
        }
        sortLabels={useSortLabels()}
        busy={busy}
      />
    </Card>
  )
}
