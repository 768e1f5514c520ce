import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { accessReviews } from '#contract/access-reviews/access-reviews.ts'
import type { ReviewFilters } from '#contract/access-reviews/review-filters.ts'
import type { AnswerOf } from '#contract/route.ts'
import { freshQuery } from '#web/lib/requests/query.ts'
import type { ReviewSearch } from './review-search.ts'

export type ReviewAnswer = AnswerOf<typeof accessReviews.list>

/** What of an address filters the rows. */
export function filtersOf({ page: _, searchQuery, decision = 'undecided', ...filters }: ReviewSearch) {
  const chosen: ReviewFilters = { ...filters, ...(decision !== 'all' && { decision }) }
  return { ...chosen, searchQuery }
}

/** What somebody decides stays on the page until it is left or turned, so that it can be changed. */
const stays = { refetchOnWindowFocus: false } as const

/** The review of an organisation. Of a finished one there is nothing undecided: without a choice it shows all. */
export function useReview(organizationId: string, search: ReviewSearch) {
  const ask = (decision: ReviewSearch['decision']) => ({
    ...freshQuery(accessReviews.list, {
      params: { id: organizationId },
      query: { page: search.page, ...filtersOf({ ...search, decision }) },
    }),
    ...stays,
  })
  const asked = ask(search.decision)
  const found = useQuery(asked)
  const isFinished = search.decision === undefined && found.data?.review?.finishedAt != null
  const everything = ask('all')
  const whole = useQuery({ ...everything, enabled: isFinished })
  return isFinished
    ? { list: whole, queryKey: everything.queryKey, decision: 'all' as const }
    : { list: found, queryKey: asked.queryKey, decision: search.decision ?? ('undecided' as const) }
}

/** Prints every person, whichever page is on the screen. */
export function usePrinting(organizationId: string) {
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
  return { people: ready ? data?.items : undefined, start: () => setAsked(true) }
}
