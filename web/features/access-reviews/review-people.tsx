import type { UseQueryResult } from '@tanstack/react-query'
import ClipboardCheck from 'lucide-react/icons/clipboard-check'
import SearchX from 'lucide-react/icons/search-x'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ReviewDecision, ReviewPerson } from '#contract/access-reviews/review-answers.ts'
import { ListPages } from '#web/lib/lists/list-pages.tsx'
import { ResultsAnnounced } from '#web/lib/lists/results-announced.tsx'
import { useSearchText } from '#web/lib/lists/use-search-text.ts'
import { Button } from '#web/ui/button.tsx'
import { SearchInput } from '#web/ui/fields/search-input.tsx'
import { Card, Toolbar } from '#web/ui/frame/page.tsx'
import { EmptyState } from '#web/ui/state.tsx'
import styles from './access-review.module.css'
import { AtOnceDialog } from './at-once-dialog.tsx'
import { BulkDialog } from './bulk-dialog.tsx'
import { ReviewFilterFields } from './review-filter-fields.tsx'
import type { ReviewSearch } from './review-search.ts'
import { ReviewTable } from './review-table.tsx'
import type { Decisions } from './use-decisions.ts'
import type { ReviewAnswer } from './use-review.ts'
import { focusNext } from './use-row-keys.ts'

interface ReviewPeopleProps {
  organizationId: string
  answer: ReviewAnswer
  /** All of them while they are printed. */
  people: readonly ReviewPerson[]
  isPrinting: boolean
  search: ReviewSearch & { decision: NonNullable<ReviewSearch['decision']> }
  onSearch: (next: ReviewSearch, options?: { replace: boolean }) => void
  decisions: Decisions
  list: UseQueryResult<ReviewAnswer, Error>
  finishRef: RefObject<HTMLButtonElement | null>
}

/** Filters, what is decided about all that they leave, and the people one by one. */
export function ReviewPeople(props: ReviewPeopleProps) {
  const { organizationId, answer, people, isPrinting, search, onSearch, decisions, list, finishRef } = props
  const { t } = useTranslation()
  const { review, totalCount, itemsPerPage, matching, items } = answer
  const [bulk, setBulk] = useState<ReviewDecision>()
  const [atOnce, setAtOnce] = useState<ReviewPerson>()
  // The focus goes to the first of the next people once they show.
  const showsMore = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only other people are more
  useEffect(() => {
    // A page past the end is corrected first.
    if (!showsMore.current || (items.length === 0 && totalCount > 0)) return
    showsMore.current = false
    focusNext(undefined, finishRef.current)
  }, [items])
  const change = (changed: ReviewSearch) => onSearch({ ...search, page: undefined, ...changed }, { replace: true })
  const [text, setText, searchNow] = useSearchText(search.searchQuery ?? '', (next) =>
    change({ searchQuery: next || undefined }),
  )
  if (!review)
    return (
      <Card flush>
        <EmptyState icon={ClipboardCheck}>{t('reviewNone')}</EmptyState>
      </Card>
    )
  const isOpen = answer.decides && !review.endingAt
  const isDecided = items.length > 0 && items.every(({ rows }) => rows.every((row) => row.decision || !row.present))
  const { page: _, decision: __, ...filters } = search
  const isFiltered = Object.values(filters).some(Boolean)
  const showMore = () => {
    showsMore.current = true
    void list.refetch()
  }
  return (
    <Card flush>
      <Toolbar>
        <SearchInput
          label={t('reviewSearch')}
          clearLabel={t('clearSearch')}
          maxLength={200}
          value={text}
          onChange={setText}
          onBlur={searchNow}
        />
      </Toolbar>
      <ReviewFilterFields search={search} services={answer.services} onChange={change} />
      <ResultsAnnounced
        asked={JSON.stringify(filters)}
        settled={list.isSuccess && !list.isPlaceholderData}
        text={t('reviewMatching', { people: totalCount, accesses: matching })}
      />
      {totalCount > 0 ? (
        <>
          <div className={styles.bulk}>
            <p>{t('reviewMatching', { people: totalCount, accesses: matching })}</p>
            {isOpen && (
              <div className={styles.actions}>
                <Button size="small" onClick={() => setBulk('keep')}>
                  {t('reviewKeepFilter')}
                </Button>
                <Button size="small" onClick={() => setBulk('takeBack')}>
                  {t('reviewTakeBackFilter')}
                </Button>
              </div>
            )}
          </div>
          <ReviewTable
            people={people}
            open={isOpen && !isPrinting}
            whole={answer.whole}
            busy={list.isFetching && list.isPlaceholderData}
            decisions={decisions}
            onAtOnce={setAtOnce}
          />
          {isOpen && search.decision === 'undecided' && isDecided && review.done < review.total && (
            <div className={styles.next}>
              <Button variant="primary" data-next="" loading={list.isFetching} onClick={showMore}>
                {t('reviewShowNext')}
              </Button>
            </div>
          )}
          <ListPages
            list={t('accessReview')}
            page={search.page ?? 1}
            totalCount={totalCount}
            itemsPerPage={itemsPerPage}
            settled={!list.isPlaceholderData}
            onPage={(to, options) => onSearch({ ...search, page: to > 1 ? to : undefined }, options)}
          />
        </>
      ) : (
        <EmptyState
          icon={isFiltered ? SearchX : ClipboardCheck}
          action={
            <Button onClick={() => onSearch({ decision: 'all' })}>
              {t(isFiltered ? 'clearFilters' : 'reviewShowAll')}
            </Button>
          }
        >
          <span role="status">{t(isFiltered ? 'reviewNoneMatch' : 'reviewNothingLeft')}</span>
        </EmptyState>
      )}
      {bulk && (
        <BulkDialog
          organizationId={organizationId}
          search={search}
          decision={bulk}
          decisions={decisions}
          onClose={() => setBulk(undefined)}
        />
      )}
      {atOnce && <AtOnceDialog organizationId={organizationId} person={atOnce} onClose={() => setAtOnce(undefined)} />}
    </Card>
  )
}
