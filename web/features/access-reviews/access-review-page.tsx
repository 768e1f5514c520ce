import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import ClipboardCheck from 'lucide-react/icons/clipboard-check'
import Printer from 'lucide-react/icons/printer'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type AccessReview, accessReviews } from '#contract/access-reviews/access-reviews.ts'
import { ListPages } from '#web/lib/lists/list-pages.tsx'
import { DownloadLink } from '#web/lib/requests/download-link.tsx'
import { Loaded } from '#web/lib/requests/loaded.tsx'
import { freshQuery } from '#web/lib/requests/query.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { useCurrentOrganization } from '#web/lib/session/signed-in.tsx'
import { dateTimeText } from '#web/lib/texts/dates.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { Button } from '#web/ui/button.tsx'
import { Card, PageHeading } from '#web/ui/frame/page.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { EmptyState } from '#web/ui/state.tsx'
import styles from './access-review.module.css'
import { ReviewTable } from './review-table.tsx'

const route = getRouteApi('/access-review')

/** Who keeps which service in the chosen organisation: the admin decides row by row, or many at once. */
export function AccessReviewPage() {
  const { t } = useTranslation()
  const { id: organizationId = '', membership } = useCurrentOrganization()
  const { page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const isAdmin = membership?.userRole === 'organizationAdmin'
  const list = useQuery({
    ...freshQuery(accessReviews.list, { params: { id: organizationId }, query: { page } }),
    enabled: isAdmin,
  })
  const printing = usePrinting(organizationId)
  if (!isAdmin) return <PageHeading title={t('accessReview')} subtitle={t('reviewOtherOrganization')} />
  return (
    <>
      <PageHeading title={t('accessReview')} subtitle={t('reviewIntro', { name: membership.name })} />
      <Loaded
        query={list}
        skeleton={
          <SkeletonGroup label={t('loading')}>
            <Skeleton shape="row" count={6} />
          </SkeletonGroup>
        }
      >
        {({ items, totalCount, itemsPerPage, review, nextAt }) => (
          <>
            <ReviewState organizationId={organizationId} review={review} nextAt={nextAt} print={printing.start} />
            <Card flush>
              {totalCount > 0 ? (
                <>
                  <ReviewTable
                    rows={printing.rows ?? items}
                    organizationId={organizationId}
                    open={review?.finishedAt === null}
                    busy={list.isFetching}
                  />
                  <ListPages
                    list={t('accessReview')}
                    page={page}
                    totalCount={totalCount}
                    itemsPerPage={itemsPerPage}
                    settled={!list.isPlaceholderData}
                    onPage={(to, options) => void navigate({ search: to > 1 ? { page: to } : {}, ...options })}
                  />
                </>
              ) : (
                <EmptyState icon={ClipboardCheck}>{t('reviewNone')}</EmptyState>
              )}
            </Card>
          </>
        )}
      </Loaded>
    </>
  )
}

/** Prints every row, whichever page is on the screen. */
function usePrinting(organizationId: string) {
  const [asked, setAsked] = useState(false)
  const { data, dataUpdatedAt } = useQuery({
    ...freshQuery(accessReviews.list, { params: { id: organizationId }, query: { page: 1, all: 'true' } }),
    enabled: asked,
  })
  const ready = asked && dataUpdatedAt > 0
  useEffect(() => {
    if (!ready) return
    const end = () => setAsked(false)
    addEventListener('afterprint', end)
    print()
    return () => removeEventListener('afterprint', end)
  }, [ready])
  return { rows: ready ? data?.items : undefined, start: () => setAsked(true) }
}

interface StateProps {
  organizationId: string
  review: AccessReview | null
  nextAt: string | null
  print: () => void
}

/** How far the review is, and what can be done with it as a whole. */
function ReviewState({ organizationId, review, nextAt, print }: StateProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const request = { params: { id: organizationId } }
  const start = useSave(accessReviews.start)
  const finish = useSave(accessReviews.finish)
  const open = review !== null && review.finishedAt === null
  const moment = (at: string) => dateTimeText(at, language)
  return (
    <div className={styles.state}>
      <div className={styles.progress}>
        {review && open && (
          <>
            <p role="status">{t('reviewProgress', { done: review.done, total: review.total })}</p>
            <progress aria-label={t('accessReview')} value={review.done} max={review.total} />
            <p className={styles.quiet}>{t('reviewOpenedAt', { moment: moment(review.openedAt) })}</p>
          </>
        )}
        {review?.finishedAt && (
          <p role="status">
            {t('reviewFinishedAt', { moment: moment(review.finishedAt), person: review.finishedBy ?? '' })}
          </p>
        )}
        {nextAt && <p className={styles.quiet}>{t('reviewNextAt', { moment: moment(nextAt) })}</p>}
      </div>
      <div className={styles.actions}>
        {review && (
          <>
            <Button icon={Printer} onClick={print}>
              {t('print')}
            </Button>
            <DownloadLink href={accessReviews.report.url.replace('{id}', organizationId)}>
              {t('reviewReport')}
            </DownloadLink>
          </>
        )}
        {open ? (
          <Button
            variant="primary"
            disabled={review.done < review.total}
            loading={finish.isPending}
            onClick={() => finish.mutate(request)}
          >
            {t('reviewFinish')}
          </Button>
        ) : (
          <Button variant="primary" loading={start.isPending} onClick={() => start.mutate(request)}>
            {t('reviewStart')}
          </Button>
        )}
      </div>
    </div>
  )
}
