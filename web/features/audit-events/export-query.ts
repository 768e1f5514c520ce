import { type AuditEventsSearch, periods } from './audit-events-search.ts'

const day = 24 * 60 * 60 * 1000

/** The filters of the list as an export takes them. */
export function exportQuery({ page: _, sort: __, sortDirection: ___, period, ...filters }: AuditEventsSearch): string {
  const from = period && new Date(Date.now() - periods[period] * day).toISOString()
  const given = Object.entries({ ...filters, from }).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return new URLSearchParams(given).toString()
}
