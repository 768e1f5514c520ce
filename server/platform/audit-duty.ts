import type { AuditEventName } from '#contract/audit-event.ts'
import type { Route } from '#contract/route.ts'
import type { AuditEntry } from './audit.ts'

/**
 * A use case leaves the event that its declaration promises: no more, no less. What it wrote is rolled back otherwise.
 *
 * @throws Error (a bug, 500) when the events are not the declared ones
 */
export function checkAudit(route: Route, entries: readonly AuditEntry[]): void {
  const rule = route.audit ?? 'none'
  const { names, least } =
    rule === 'none'
      ? { names: [], least: 0 }
      : typeof rule === 'string'
        ? { names: [rule], least: 1 }
        : 'atMost' in rule
          ? { names: rule.atMost, least: 0 }
          : { names: rule, least: 1 }
  const right = entries.every((entry) => (names as readonly AuditEventName[]).includes(entry.name))
  if (right && entries.length >= least && entries.length <= Math.min(1, names.length)) return
  const left = entries.map((entry) => entry.name).join(', ') || 'none'
  throw new Error(`${route.method} ${route.url} declares the audit event ${JSON.stringify(rule)} and left ${left}`)
}
