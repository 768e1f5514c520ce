import { getRouteApi, Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type SamlConfigSummary, samlConfigLabels } from '#contract/saml-configs/saml-configs.ts'
import { openedFromPage } from '#web/lib/dialogs/dialog-route.ts'
import { nextOrder, type Order } from '#web/lib/lists/list-search.ts'
import { Day } from '#web/lib/texts/day.tsx'
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
      cell: ({ id, name, kind }) => (
        <span className={styles.nameAndKind}>
          <Link
            to="/saml-configuration/$samlConfigId"
            params={{ samlConfigId: String(id) }}
            search={true}
            state={openedFromPage}
          >
            {name}
          </Link>
          <span className={styles.quiet}>{t(kind === 'oidc' ? 'samlConfigKindOidc' : 'samlConfigKindSaml')}</span>
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
      key: 'state',
      header: t('samlColumnState'),
      cell: ({ active }) => <Badge tone={active ? 'ok' : 'warn'}>{t(active ? 'samlConfigOn' : 'samlConfigOff')}</Badge>,
    },
    {
      key: 'certificate',
      header: t('samlColumnCertificate'),
      cell: ({ certificateEnd }) => (certificateEnd ? <CertificateEnd at={certificateEnd} /> : '–'),
    },
    {
      key: 'lastSignIn',
      header: t('samlColumnLast'),
      cell: ({ lastSignIn }) => (lastSignIn ? <Day at={lastSignIn} /> : t('never')),
    },
    {
      key: 'failures',
      header: t('samlColumnFailures'),
      align: 'end',
      cell: ({ id, failuresOfDay }) =>
        failuresOfDay === 0 ? (
          0
        ) : (
          <Link
            to="/saml-configuration/$samlConfigId/sign-ins"
            params={{ samlConfigId: String(id) }}
            aria-label={t('samlStateFailures', { count: failuresOfDay })}
          >
            {failuresOfDay}
          </Link>
        ),
    },
    {
      key: 'organizations',
      header: t('organizations'),
      cell: ({ organizations: [first, ...others] }) =>
        first === undefined
          ? '–'
          : others.length === 0
            ? first.name
            : t('samlOrganizationAndMore', { name: first.name, count: others.length }),
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

const soon = 60 * 86_400_000

/** An end that comes soon is marked by more than its colour. */
function CertificateEnd({ at }: { at: string }) {
  const { t } = useTranslation()
  const left = Date.parse(at) - Date.now()
  return (
    <span className={styles.nameAndKind}>
      <Day at={at} />
      {left < soon && (
        <Badge tone={left < 0 ? 'danger' : 'warn'}>
          {t(left < 0 ? 'samlCertificateEnded' : 'samlCertificateEndsSoon')}
        </Badge>
      )}
    </span>
  )
}
