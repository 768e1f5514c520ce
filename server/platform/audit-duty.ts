import type { AuditEventName } from '#contract/audit-event.ts'
import type { Route } from '#contract/route.ts'
import type { AuditEntry } from './audit.ts'

interface Duty {
  /** Counted; the others come beside them. */
  names: readonly AuditEventName[]
  least: number
  most: number
  beside?: AuditEventName
}

function dutyOf({ audit = 'none' }: Route): Duty {
  if (audit === 'none') return { names: [], least: 0, most: 0 }
  if (typeof audit === 'string') return { names: [audit], least: 1, most: 1 }
  if ('atMost' in audit) return { names: audit.atMost, least: 0, most: 1 }
  if ('many' in audit) return { names: [audit.many], least: 0, most: Number.POSITIVE_INFINITY }
  if ('one' in audit) return { names: [audit.one], least: 1, most: 1, beside: audit.andFollowing }
  return { names: audit, least: 1, most: 1 }
}

/**
 * A use case leaves the event that its declaration promises: no more, no less. What it wrote is rolled back otherwise.
 *
 * @throws Error (a bug, 500) when the events are not the declared ones
 */
export function checkAudit(route: Route, entries: readonly AuditEntry[]): void {
  const { names, least, most, beside } = dutyOf(route)
  const own = entries.filter((entry) => entry.name !== beside)
  const right = own.every((entry) => names.includes(entry.name))
  if (right && own.length >= least && own.length <= most) return
  const left = entries.map((entry) => entry.name).join(', ') || 'none'
  const promised = JSON.stringify(route.audit ?? 'none')
  throw new Error(`${route.method} ${route.url} declares the audit event ${promised} and left ${left}`)
}
