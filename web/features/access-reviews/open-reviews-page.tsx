import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import ClipboardCheck from 'lucide-react/icons/clipboard-check'
import { useTranslation } from 'react-i18next'
import { accessReviews } from '#contract/access-reviews/access-reviews.ts'
import type { OpenReview } from '#contract/access-reviews/review-answers.ts'
import { AdministrationPage } from '#web/lib/administration-page.tsx'
import { ListPages } from '#web/lib/lists/list-pages.tsx'
import { Loaded } from '#web/lib/requests/loaded.tsx'
import { freshQuery } from '#web/lib/requests/query.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { useCan } from '#web/lib/session/can.tsx'
import { Day } from '#web/lib/texts/day.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'
import { Card, Toolbar } from '#web/ui/frame/page.tsx'
import { EmptyState } from '#web/ui/state.tsx'
import { type Column, Table } from '#web/ui/table/table.tsx'
import { TableSkeleton } from '#web/ui/table/table-skeleton.tsx'
import { toasts } from '#web/ui/toast/toast-store.ts'
import styles from './access-review.module.css'

const route = getRouteApi('/access-reviews')

/** The open reviews of all organisations, for the operator. */
export function OpenReviewsPage() {
  const { t } = useTranslation()
  const { page = 1, overdue } = route.useSearch()
  const navigate = route.useNavigate()
  const list = useQuery(freshQuery(accessReviews.open, { query: { page, overdue } }))
  return (
    <AdministrationPage>
      <Card flush>
        <Toolbar>
          <Checkbox
            label={t('reviewOnlyOverdue')}
            checked={overdue === 'true'}
            onChange={(event) =>
              void navigate({ search: event.target.checked ? { overdue: 'true' } : {}, replace: true })
            }
          />
        </Toolbar>
        <Loaded
          query={list}
          skeleton={<TableSkeleton label={t('loading')} columns={['text', 'text', 'badge', 'text']} rows={5} />}
        >
          {({ items, totalCount, itemsPerPage }) =>
            totalCount > 0 ? (
              <>
                <OpenTable rows={items} busy={list.isFetching} />
                <ListPages
                  list={t('accessReviews')}
                  page={page}
                  totalCount={totalCount}
                  itemsPerPage={itemsPerPage}
                  settled={!list.isPlaceholderData}
                  onPage={(to, options) =>
                    void navigate({ search: { overdue, page: to > 1 ? to : undefined }, ...options })
                  }
                />
              </>
            ) : (
              <EmptyState icon={ClipboardCheck}>{t(overdue ? 'reviewsNoneOverdue' : 'reviewsNone')}</EmptyState>
            )
          }
        </Loaded>
      </Card>
    </AdministrationPage>
  )
}

function OpenTable({ rows, busy }: { rows: readonly OpenReview[]; busy: boolean }) {
  const { t } = useTranslation()
  const can = useCan()
  const remind = useSave(accessReviews.remind)
  const send = (id: string) =>
    remind.mutate({ params: { id } }, { onSuccess: () => toasts.show({ tone: 'success', title: t('reviewReminded') }) })
  const columns: Column<OpenReview>[] = [
    {
      key: 'organization',
      header: t('organization'),
      rowHeader: true,
      cell: ({ organizationId, organizationName }) => (
        <Link to="/access-reviews/$organizationId" params={{ organizationId }} search={{}}>
          {organizationName}
        </Link>
      ),
    },
    { key: 'openedAt', header: t('reviewStartedColumn'), cell: ({ openedAt }) => <Day at={openedAt} /> },
    {
      key: 'dueAt',
      header: t('reviewDueColumn'),
      cell: ({ dueAt, overdue }) => (
        <span className={styles.badges}>
          <Day at={dueAt} />
          {overdue && <Badge tone="danger">{t('reviewOverdue')}</Badge>}
        </span>
      ),
    },
    { key: 'progress', header: t('reviewState'), cell: ({ done, total }) => t('reviewProgress', { done, total }) },
    {
      key: 'remindedAt',
      header: t('reviewRemindedColumn'),
      cell: ({ remindedAt }) => (remindedAt ? <Day at={remindedAt} /> : '–'),
    },
    {
      key: 'actions',
      header: t('actions'),
      buttons: true,
      cell: ({ organizationId, organizationName, done, total }) =>
        can('decideReviews', { organizationId }) &&
        done < total && (
          <Button
            size="small"
            disabled={remind.isPending}
            aria-label={t('reviewRemindNamed', { name: organizationName })}
            onClick={() => send(organizationId)}
          >
            {t('reviewRemind')}
          </Button>
        ),
    },
  ]
  return (
    <Table
      caption={t('accessReviews')}
      columns={columns}
      rows={rows}
      rowKey={({ organizationId }) => organizationId}
      busy={busy}
    />
  )
}
