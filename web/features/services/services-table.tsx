import { getRouteApi, Link } from '@tanstack/react-router'
import ExternalLink from 'lucide-react/icons/external-link'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { type ListedService, serviceLabels } from '#contract/services/services.ts'
import { openedFromPage } from '#web/lib/dialogs/dialog-route.ts'
import { nextOrder, type Order } from '#web/lib/lists/list-search.ts'
import { useCan } from '#web/lib/session/can.tsx'
import { Day } from '#web/lib/texts/day.tsx'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { useSortLabels } from '#web/lib/texts/sort-labels.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Card } from '#web/ui/frame/page.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { ServiceIcon } from '#web/ui/service-icon.tsx'
import { type Column, Table } from '#web/ui/table/table.tsx'
import styles from './services.module.css'
import { servicesSearch } from './services-search.ts'

const page = getRouteApi('/services')

interface ServicesTableProps {
  rows: readonly ListedService[]
  /** By service; undefined until they are counted. */
  people: ReadonlyMap<string, number> | undefined
  busy: boolean
}

export function ServicesTable({ rows, people, busy }: ServicesTableProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const { sort = 'name', sortDirection = 'asc' } = page.useSearch()
  const navigate = page.useNavigate()
  const order: Order<'name' | 'url'> = { key: sort, direction: sortDirection }
  const opens = useCan()('manageServices')
  const columns: Column<ListedService>[] = [
    {
      key: 'name',
      header: t(serviceLabels.name),
      sortable: true,
      rowHeader: true,
      cell: ({ serviceId, name, icon }) => (
        <span className={styles.name}>
          <ServiceIcon name={name} icon={icon} />
          {opens ? (
            <Link to="/services/$serviceId" params={{ serviceId }} search={true} state={openedFromPage}>
              {name}
            </Link>
          ) : (
            name
          )}
        </span>
      ),
    },
    { key: 'category', header: t('category'), cell: ({ category }) => category },
    { key: 'url', header: t(serviceLabels.url), sortable: true, cell: ({ url }) => <Address url={url} /> },
    {
      key: 'people',
      header: t('users'),
      align: 'end',
      cell: ({ serviceId }) => (people ? (people.get(serviceId) ?? 0).toLocaleString(language) : '–'),
    },
    {
      key: 'lastSignIn',
      header: t('serviceLastSignIn'),
      cell: ({ lastSignIn, signInSetUp }) => (lastSignIn ? <Day at={lastSignIn} /> : signInSetUp ? t('never') : '–'),
    },
    {
      key: 'signInSetUp',
      header: t('serviceSignIn'),
      cell: ({ signInSetUp }) =>
        signInSetUp ? t('serviceSignInSetUp') : <Badge tone="neutral">{t('serviceSignInMissing')}</Badge>,
    },
  ]
  return (
    <Card flush>
      <Table
        caption={t('services')}
        columns={columns}
        rows={rows}
        rowKey={({ serviceId }) => serviceId}
        sort={order}
        onSort={(key, direction) =>
          void navigate({ search: servicesSearch(nextOrder(order, key, direction)), replace: true })
        }
        sortLabels={useSortLabels()}
        busy={busy}
      />
    </Card>
  )
}

/** The address as text. Only its icon links there: the rest of the row opens the service's dialog. */
function Address({ url }: { url: string }) {
  const { t } = useTranslation()
  const label = t('openInNewTab', { url })
  return (
    <span className={styles.address}>
      <span>
        {url.split(breakable).map((part, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change their order
          <Fragment key={at}>
            {at > 0 && <wbr />}
            {part}
          </Fragment>
        ))}
      </span>
      <a href={url} target="_blank" rel="noreferrer" aria-label={label} title={label} className={styles.open}>
        <Icon of={ExternalLink} />
      </a>
    </span>
  )
}

/** Allows a line break before a dot and after a slash of the path. */
const breakable = /(?=\.)|(?<=[^:/]\/)/
