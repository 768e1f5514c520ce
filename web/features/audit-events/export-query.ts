import { type AuditEventsSearch, toEventQuery } from './audit-events-search.ts'

/** The filters of the list as an export takes them. */
export function exportQuery({ page: _, sort: __, sortDirection: ___, ...filters }: AuditEventsSearch): string {
  const given = Object.entries(toEventQuery(filters, new Date())).flatMap(([name, value]) =>
    value ? [[name, String(value)]] : [],
  )
  return new URLSearchParams(given).toString()
}
