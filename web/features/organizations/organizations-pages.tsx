import { getRouteApi, Navigate, useRouter } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Pagination } from '#web/ui/pagination.tsx'

const list = getRouteApi('/organization-settings')

interface OrganizationsPagesProps {
  totalCount: number
  itemsPerPage: number
  /** The counts are those of the page that the address names. */
  settled: boolean
}

export function OrganizationsPages({ totalCount, itemsPerPage, settled }: OrganizationsPagesProps) {
  const { t } = useTranslation()
  const router = useRouter()
  const search = list.useSearch()
  const navigate = list.useNavigate()
  const { page = 1 } = search
  const pages = Math.ceil(totalCount / itemsPerPage)
  const at = (to: number) => ({ ...search, page: to > 1 ? to : undefined })
  // The last row of the last page has gone, or somebody made the address up.
  if (page > pages) return settled ? <Navigate to="." search={at(pages)} replace /> : null
  return (
    <Pagination
      label={t('pagesOf', { list: t('organizations') })}
      page={page}
      pageCount={pages}
      summary={t('rowsOfTotal', {
        first: (page - 1) * itemsPerPage + 1,
        last: Math.min(page * itemsPerPage, totalCount),
        total: totalCount,
      })}
      pageText={t('pageOfPages', { page, pages })}
      previousLabel={t('previousPage')}
      nextLabel={t('nextPage')}
      href={(to) => router.buildLocation({ to: '/organization-settings', search: at(to) }).href}
      onPage={(to) => void navigate({ search: at(to) })}
    />
  )
}
