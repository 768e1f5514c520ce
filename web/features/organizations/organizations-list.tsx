import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import Building2 from 'lucide-react/icons/building-complex'
import { useTranslation } from 'react-i18next'
import { organizations } from '#contract/organizations/organizations.ts'
import { SearchedList } from '#web/lib/lists/searched-list.tsx'
import { query } from '#web/lib/requests/query.ts'
import { OrganizationsTable } from './organizations-table.tsx'

const list = getRouteApi('/organization-settings')

/** The organisations that match the search parameters. */
export function OrganizationsList() {
  const { t } = useTranslation()
  const router = useRouter()
  const address = list.useSearch()
  const { page = 1, sort = 'name', sortDirection = 'asc', searchQuery = '' } = address
  const at = (to: number) => ({ ...address, page: to > 1 ? to : undefined })
  const navigate = list.useNavigate()
  return (
    <SearchedList
      list={t('organizations')}
      found={useQuery(query(organizations.list, { query: { page, sort, sortDirection, searchQuery } }))}
      searchLabel={t('searchOrganizations')}
      searchQuery={searchQuery}
      onSearch={(next) =>
        void navigate({
          search: (present) => ({ ...present, page: undefined, searchQuery: next || undefined }),
          replace: true,
        })
      }
      emptyIcon={Building2}
      emptyText={t('noOrganizationsYet')}
      notFoundText={t('noOrganizationsFound', { searchQuery })}
      columns={['long', 'text', 'badge']}
      page={page}
      href={(to) => router.buildLocation({ to: '/organization-settings', search: at(to) }).href}
      onPage={(to, { replace }) => void navigate({ search: at(to), replace })}
    >
      {(rows, busy) => <OrganizationsTable rows={rows} busy={busy} />}
    </SearchedList>
  )
}
