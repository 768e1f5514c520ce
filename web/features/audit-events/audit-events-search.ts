import type { auditEvents } from '#contract/audit-events/audit-events.ts'
import type { QueryOf } from '#contract/route.ts'
import { type ListSearch, listSearch } from '#web/lib/lists/list-search.ts'

export const eventSorts = ['createdAt', 'name', 'actor', 'target'] as const
export type EventSort = (typeof eventSorts)[number]

/** Number of days back from now. The quarter is what the list opens with, and stands in no address. */
const daysBack = { day: 1, week: 7, month: 30, quarter: 90 } as const
export const periods = ['day', 'week', 'month', 'all', 'custom'] as const
export type Period = (typeof periods)[number]

export const eventKinds = ['changes', 'signIns'] as const

/** What the log is filtered by. */
export interface EventFilters {
  kindFilter?: 'changes' | 'signIns' | undefined
  nameFilter?: string | undefined
  textFilter?: string | undefined
  actorFilter?: string | undefined
  targetFilter?: string | undefined
  targetIdFilter?: string | undefined
  organizationFilter?: string | undefined
  /** Without one, the last 90 days. */
  period?: Period | undefined
  /** Days, of a custom period. */
  from?: string | undefined
  until?: string | undefined
}

/** The search parameters of the audit log, so that a filtered view can be shared as a link. */
export interface AuditEventsSearch extends EventFilters {
  page?: number | undefined
  sort?: EventSort | undefined
  /** Events are sorted newest first by default. */
  sortDirection?: 'asc' | undefined
}

export const noFilters: Record<keyof EventFilters, undefined> = {
  kindFilter: undefined,
  nameFilter: undefined,
  textFilter: undefined,
  actorFilter: undefined,
  targetFilter: undefined,
  targetIdFilter: undefined,
  organizationFilter: undefined,
  period: undefined,
  from: undefined,
  until: undefined,
}

const pageAndSort = listSearch<EventSort>(eventSorts)
// The router reads a text of digits, such as the id of a SAML configuration, as a number.
const textOf = (value: unknown, max = 200) =>
  (typeof value === 'string' || typeof value === 'number' ? `${value}`.slice(0, max) : '') || undefined
const dayOf = (value: unknown) =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined
const idOf = (value: unknown) =>
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(`${value}`) ? `${value}` : undefined

export function auditEventsSearch(search: Record<string, unknown>): AuditEventsSearch {
  const { page, sort }: ListSearch<EventSort> = pageAndSort(search)
  const period = periods.find((one) => one === search.period)
  return {
    page,
    sort,
    sortDirection: search.sortDirection === 'asc' ? 'asc' : undefined,
    kindFilter: eventKinds.find((one) => one === search.kindFilter),
    nameFilter: textOf(search.nameFilter, 100),
    textFilter: textOf(search.textFilter),
    actorFilter: textOf(search.actorFilter),
    targetFilter: textOf(search.targetFilter),
    targetIdFilter: textOf(search.targetIdFilter, 100),
    organizationFilter: idOf(search.organizationFilter),
    period,
    from: period === 'custom' ? dayOf(search.from) : undefined,
    until: period === 'custom' ? dayOf(search.until) : undefined,
  }
}

const dayMs = 24 * 60 * 60 * 1000

/** What the server is asked. A custom period is days of the visitor's own time zone, the last one included. */
export function toEventQuery(
  { period, from, until, ...rest }: EventFilters,
  now: Date,
): Partial<QueryOf<typeof auditEvents.list>> {
  if (period === 'all') return rest
  if (period !== 'custom')
    return { ...rest, from: new Date(now.getTime() - daysBack[period ?? 'quarter'] * dayMs).toISOString() }
  const end = until === undefined ? undefined : new Date(`${until}T00:00`)
  end?.setDate(end.getDate() + 1)
  return { ...rest, from: from && new Date(`${from}T00:00`).toISOString(), until: end?.toISOString() }
}
