import { type ListSearch, listSearch } from '#web/lib/list-search.ts'

export const eventSorts = ['createdAt', 'name', 'actor', 'target'] as const
export type EventSort = (typeof eventSorts)[number]

/** Number of days back from now. */
export const periods = { day: 1, week: 7, month: 30 } as const
export type Period = keyof typeof periods

/** The search parameters of the audit log, so that a filtered view can be shared as a link. */
export interface AuditEventsSearch {
  page?: number | undefined
  sort?: EventSort | undefined
  /** Events are sorted newest first by default. */
  sortDirection?: 'asc' | undefined
  nameFilter?: string | undefined
  actorFilter?: string | undefined
  targetFilter?: string | undefined
  period?: Period | undefined
}

const pageAndSort = listSearch<EventSort>(eventSorts)
const textOf = (value: unknown, max = 200) => (typeof value === 'string' ? value.slice(0, max) || undefined : undefined)

export function auditEventsSearch(search: Record<string, unknown>): AuditEventsSearch {
  const { page, sort }: ListSearch<EventSort> = pageAndSort(search)
  return {
    page,
    sort,
    sortDirection: search.sortDirection === 'asc' ? 'asc' : undefined,
    nameFilter: textOf(search.nameFilter, 100),
    actorFilter: textOf(search.actorFilter),
    targetFilter: textOf(search.targetFilter),
    period: (Object.keys(periods) as Period[]).find((period) => period === search.period),
  }
}
