import { type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Loaded } from '#web/lib/requests/loaded.tsx'
import { PageHeading } from '#web/ui/frame/page.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { ReviewPeople } from './review-people.tsx'
import type { ReviewSearch } from './review-search.ts'
import { ReviewState } from './review-state.tsx'
import { Reviewers } from './reviewers.tsx'
import { useDecisions } from './use-decisions.ts'
import { usePrinting, useReview } from './use-review.ts'

export interface ReviewProps {
  organizationId: string
  search: ReviewSearch
  onSearch: (next: ReviewSearch, options?: { replace: boolean }) => void
  /** Where the list of all reviews leads here. */
  breadcrumb?: ReactNode
}

/** Who keeps which service in an organisation. Everything can be changed until the review is finished. */
export function Review({ organizationId, search, onSearch, breadcrumb }: ReviewProps) {
  const { t } = useTranslation()
  const { list, queryKey, decision } = useReview(organizationId, search)
  const decisions = useDecisions(organizationId, queryKey)
  const printing = usePrinting(organizationId)
  const finish = useRef<HTMLButtonElement>(null)
  const { data } = list
  const isPart = data?.whole === false && data.decides
  const names = { name: data?.organizationName ?? '' }
  const part = data?.services.map(({ name }) => name).join(', ')
  return (
    <>
      <PageHeading
        title={t('accessReview')}
        breadcrumb={breadcrumb}
        subtitle={data && (isPart ? t('reviewPartIntro', { ...names, services: part }) : t('reviewIntro', names))}
      />
      <Loaded
        query={list}
        skeleton={
          <SkeletonGroup label={t('loading')}>
            <Skeleton shape="row" count={10} />
          </SkeletonGroup>
        }
      >
        {(answer) => (
          <>
            <ReviewState
              organizationId={organizationId}
              answer={answer}
              decisions={decisions}
              print={printing.start}
              finishRef={finish}
            />
            <ReviewPeople
              organizationId={organizationId}
              answer={answer}
              people={printing.people ?? answer.items}
              isPrinting={printing.people !== undefined}
              search={{ ...search, decision }}
              onSearch={onSearch}
              decisions={decisions}
              list={list}
              finishRef={finish}
            />
            {answer.whole && answer.review && !answer.review.endingAt && (
              <Reviewers organizationId={organizationId} answer={answer} />
            )}
          </>
        )}
      </Loaded>
    </>
  )
}
