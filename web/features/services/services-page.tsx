import { useQuery } from '@tanstack/react-query'
import { createLink, getRouteApi, Outlet } from '@tanstack/react-router'
import AppWindow from 'lucide-react/icons/app-window'
import ListOrdered from 'lucide-react/icons/list-ordered'
import Plus from 'lucide-react/icons/plus'
import { useTranslation } from 'react-i18next'
import { services } from '#contract/services/services.ts'
import { AdministrationPage } from '#web/lib/administration-page.tsx'
import { openedFromPage } from '#web/lib/dialogs/dialog-route.ts'
import { Loaded } from '#web/lib/requests/loaded.tsx'
import { query } from '#web/lib/requests/query.ts'
import { Can } from '#web/lib/session/can.tsx'
import { LinkButton } from '#web/ui/button.tsx'
import { Card, FormActions } from '#web/ui/frame/page.tsx'
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
        <Can do="manageServices">
          <FormActions>
            <CreateLink to="/services/order" search={true} state={openedFromPage} icon={ListOrdered}>
              {t('orderCategories')}
            </CreateLink>
            <CreateLink to="/services/create" search={true} state={openedFromPage} variant="primary" icon={Plus}>
              {t('createService')}
            </CreateLink>
          </FormActions>
        </Can>
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
  const counted = useQuery(query(services.people))
  const people = counted.data && new Map(counted.data.map((one) => [one.serviceId, one.people]))
  return (
    <Loaded
      query={list}
      skeleton={
        <Card flush>
          <TableSkeleton label={t('loading')} columns={['text', 'text', 'long']} rows={5} />
        </Card>
      }
    >
      {(rows) =>
        rows.length > 0 ? (
          <ServicesTable rows={rows} people={people} busy={list.isFetching} />
        ) : (
          <EmptyState icon={AppWindow}>{t('noServicesYet')}</EmptyState>
        )
      }
    </Loaded>
  )
}
