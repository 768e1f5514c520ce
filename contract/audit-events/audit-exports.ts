import * as z from 'zod/mini'
import { route } from '#contract/route.ts'
import { eventFilters } from './audit-events.ts'

const query = z.strictObject(eventFilters)

/** The events that the list shows, as files, the oldest first. An admin gets the events that an admin may list. */
export const auditExports = {
  table: route('GET /api/audit-events/export', {
    summary: 'The same events as a file for spreadsheets',
    access: 'readAuditEvents',
    mayLag: true,
    freshProof: true,
    query,
    answer: 'csv',
    audit: 'exportAuditEvents',
  }),
  lines: route('GET /api/audit-events/export-lines', {
    summary: 'The same events as JSON Lines, with their places in the chain for super users (docs/audit-export.md)',
    access: 'readAuditEvents',
    freshProof: true,
    query,
    answer: 'jsonLines',
    audit: 'exportAuditEvents',
  }),
}
