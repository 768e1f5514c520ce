import { useTranslation } from 'react-i18next'
import { userExports } from '#contract/users/user-exports.ts'
import { DownloadLink } from '#web/lib/requests/download-link.tsx'
import type { FilteredList } from '../filters/use-filter-services.ts'
import type { UsersView } from './users-view.ts'

/** Downloads the list as it is searched, filtered and sorted. */
export function ExportLink({ of, view }: { of: FilteredList; view: UsersView }) {
  const { t } = useTranslation()
  const { sort, sortDirection, searchQuery } = view.query
  const search = new URLSearchParams({
    sort,
    sortDirection,
    ...(searchQuery && { searchQuery }),
    ...(view.filters as Record<string, string>),
  })
  const path = of ? userExports.ofOrganization.url.replace('{id}', of.organizationId) : userExports.all.url
  return <DownloadLink href={`${path}?${search}`}>{t('exportUsers')}</DownloadLink>
}
