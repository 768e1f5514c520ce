import { useQuery } from '@tanstack/react-query'
import { createLink, getRouteApi, Outlet } from '@tanstack/react-router'
import AppWindow from 'lucide-react/icons/app-window'
import Plus from 'lucide-react/icons/plus'
import { useTranslation } from 'react-i18next'
import { services } from '#contract/services.ts'
import { AdministrationPage } from '#web/lib/administration-page.tsx'
import { openedFromPage } from '#web/lib/dialog-route.ts'
import { Loaded } from '#web/lib/loaded.tsx'
import { query } from '#web/lib/query.ts'
import { LinkButton } from '#web/ui/button.tsx'
import { Card } from '#web/ui/frame/page.tsx'
import { EmptyState } from '#web/ui/state.tsx'
import { TableSkeleton } from '#web/ui/table/table-skeleton.tsx'
import { ServicesTable } from './services-table.tsx'

const CreateLink = createLink(LinkButton)
const page = getRouteApi('/services')

/** All services; each opens in a dialog with its own address. */
export function ServicesPage() {
  const { t } = useTranslation()
  return (
    <AdministrationPage
      action={
        <CreateLink to="/services/create" search={true} state={openedFromPage} variant="primary" icon={Plus}>
          {t('createService')}
        </CreateLink>
      }
    >
      <ServiceRows />
      <Outlet />
    </AdministrationPage>
  )
}

function ServiceRows() {
  const { t } = useTranslation()
  const { sort = 'name', sortDirection = 'asc' } = page.useSearch()
  const list = useQuery(query(services.list, { query: { sort, sortDirection } }))
  return (
    <Loaded
      query={list}
      skeleton={
        <Card flush>
          <TableSkeleton label={t('loading')} columns={['text', 'long']} rows={5} />
        </Card>
      }
    >
      {(rows) =>
        rows.length > 0 ? (
          <ServicesTable rows={rows} busy={list.isFetching} />
        ) : (
          <EmptyState icon={AppWindow}>{t('noServicesYet')}</EmptyState>
        )
      }
    </Loaded>
  )
}
