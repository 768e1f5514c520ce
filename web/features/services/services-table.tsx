import { getRouteApi, Link } from '@tanstack/react-router'
import ExternalLink from 'lucide-react/icons/external-link'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import type { Service } from '#contract/services.ts'
import { openedFromPage } from '#web/lib/dialog-route.ts'
import { type Order, turned } from '#web/lib/list-search.ts'
import { useSortLabels } from '#web/lib/sort-labels.ts'
import { Icon } from '#web/ui/icon.tsx'
import { Card } from '#web/ui/page.tsx'
import { type Column, Table } from '#web/ui/table.tsx'
import styles from './services.module.css'
import { servicesSearch } from './services-search.ts'

const page = getRouteApi('/services')

export function ServicesTable({ rows, busy }: { rows: readonly Service[]; busy: boolean }) {
  const { t } = useTranslation()
  const { sort = 'name', sortDirection = 'asc' } = page.useSearch()
  const navigate = page.useNavigate()
  const order: Order<'name' | 'url'> = { key: sort, direction: sortDirection }
  const columns: Column<Service>[] = [
    {
      key: 'name',
      header: t('name'),
      sortable: true,
      rowHeader: true,
      cell: ({ serviceId, name }) => (
        <Link to="/services/$serviceId" params={{ serviceId }} search={true} state={openedFromPage}>
          {name}
        </Link>
      ),
    },
    { key: 'url', header: t('webAddress'), sortable: true, cell: ({ url }) => <Address url={url} /> },
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
          void navigate({ search: servicesSearch(turned(order, key, direction)), replace: true })
        }
        sortLabels={useSortLabels()}
        busy={busy}
      />
    </Card>
  )
}

/** The address itself as a text; only its sign leads there, so that the rest of the row opens the service here. */
function Address({ url }: { url: string }) {
  const { t } = useTranslation()
  const label = t('openInNewTab', { url })
  return (
    <span className={styles.address}>
      <span>
        {url.split(breakable).map((part, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text have no other name
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

/** Before a dot and after a slash of the path: where an address may go on in the next line. */
const breakable = /(?=\.)|(?<=[^:/]\/)/
