import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import Building2 from 'lucide-react/icons/building-complex'
import SearchX from 'lucide-react/icons/search-x'
import { useTranslation } from 'react-i18next'
import { organizations } from '#contract/organizations.ts'
import { ListPages } from '#web/lib/list-pages.tsx'
import { Loaded } from '#web/lib/loaded.tsx'
import { query } from '#web/lib/query.ts'
import { useSearchText } from '#web/lib/use-search-text.ts'
import { Button } from '#web/ui/button.tsx'
import { Card, Toolbar } from '#web/ui/page.tsx'
import { SearchInput } from '#web/ui/search-input.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { EmptyState } from '#web/ui/state.tsx'
import { OrganizationsTable } from './organizations-table.tsx'

const list = getRouteApi('/organization-settings')

/** Search, rows and pages. The search box stays whatever becomes of the rows. */
export function OrganizationsList() {
  const { t } = useTranslation()
  const router = useRouter()
  const address = list.useSearch()
  const { page = 1, sort = 'name', sortDirection = 'asc', searchQuery = '' } = address
  const at = (to: number) => ({ ...address, page: to > 1 ? to : undefined })
  const navigate = list.useNavigate()
  const [text, search, searchNow] = useSearchText(
    searchQuery,
    (next) =>
      void navigate({
        search: (present) => ({ ...present, page: undefined, searchQuery: next || undefined }),
        replace: true,
      }),
  )
  const found = useQuery(query(organizations.list, { query: { page, sort, sortDirection, searchQuery } }))
  return (
    <Card flush>
      <Toolbar>
        <SearchInput
          label={t('searchOrganizations')}
          clearLabel={t('clearSearch')}
          maxLength={200}
          value={text}
          onChange={search}
          onBlur={searchNow}
        />
      </Toolbar>
      <Loaded
        query={found}
        skeleton={
          <SkeletonGroup label={t('loading')}>
            <Skeleton shape="row" count={10} />
          </SkeletonGroup>
        }
      >
        {({ items, totalCount, itemsPerPage }) =>
          totalCount > 0 ? (
            <>
              <OrganizationsTable rows={items} busy={found.isFetching} />
              <ListPages
                list={t('organizations')}
                page={page}
                totalCount={totalCount}
                itemsPerPage={itemsPerPage}
                settled={!found.isPlaceholderData}
                href={(to) => router.buildLocation({ to: '/organization-settings', search: at(to) }).href}
                onPage={(to, { replace }) => void navigate({ search: at(to), replace })}
              />
            </>
          ) : (
            <NothingFound searchQuery={searchQuery} onClear={() => search('')} />
          )
        }
      </Loaded>
    </Card>
  )
}

function NothingFound({ searchQuery, onClear }: { searchQuery: string; onClear: () => void }) {
  const { t } = useTranslation()
  if (!searchQuery) return <EmptyState icon={Building2}>{t('noOrganizationsYet')}</EmptyState>
  return (
    <EmptyState icon={SearchX} action={<Button onClick={onClear}>{t('clearSearch')}</Button>}>
      <span role="status">{t('noOrganizationsFound', { searchQuery })}</span>
    </EmptyState>
  )
}
