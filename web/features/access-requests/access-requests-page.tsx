import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import Inbox from 'lucide-react/icons/inbox'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type AccessRequest, accessRequests } from '#contract/access-requests/access-requests.ts'
import { ListPages } from '#web/lib/lists/list-pages.tsx'
import { Loaded } from '#web/lib/requests/loaded.tsx'
import { freshQuery } from '#web/lib/requests/query.ts'
import { Card, PageHeading } from '#web/ui/frame/page.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { EmptyState } from '#web/ui/state.tsx'
import { RefuseDialog } from './refuse-dialog.tsx'
import { RequestsTable } from './requests-table.tsx'

const route = getRouteApi('/access-requests')

/** Who waits for access to a service, for those who may give it. */
export function AccessRequestsPage() {
  const { t } = useTranslation()
  const { page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const list = useQuery(freshQuery(accessRequests.list, { query: { page } }))
  const [refusing, setRefusing] = useState<AccessRequest>()
  return (
    <>
      <PageHeading title={t('accessRequests')} />
      <Card flush>
        <Loaded
          query={list}
          skeleton={
            <SkeletonGroup label={t('loading')}>
              <Skeleton shape="row" count={4} />
            </SkeletonGroup>
          }
        >
          {({ items, totalCount, itemsPerPage }) =>
            totalCount > 0 ? (
              <>
                <RequestsTable rows={items} busy={list.isFetching} onRefuse={setRefusing} />
                <ListPages
                  list={t('accessRequests')}
                  page={page}
                  totalCount={totalCount}
                  itemsPerPage={itemsPerPage}
                  settled={!list.isPlaceholderData}
                  onPage={(to, options) => void navigate({ search: to > 1 ? { page: to } : {}, ...options })}
                />
              </>
            ) : (
              <EmptyState icon={Inbox}>{t('noAccessRequests')}</EmptyState>
            )
          }
        </Loaded>
      </Card>
      {refusing && <RefuseDialog request={refusing} onClose={() => setRefusing(undefined)} />}
    </>
  )
}
