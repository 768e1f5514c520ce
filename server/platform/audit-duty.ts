import type { Route } from '#contract/route.ts'
import type { AuditEntry } from './audit.ts'

function dutyOf({ audit = 'none' }: Route): { names: readonly string[]; least: number; most: number } {
  if (audit === 'none') return { names: [], least: 0, most: 0 }
  if (typeof audit === 'string') return { names: [audit], least: 1, most: 1 }
  if ('atMost' in audit) return { names: audit.atMost, least: 0, most: 1 }
  if ('many' in audit) return { names: [audit.many], least: 0, most: Number.POSITIVE_INFINITY }
  return { names: audit, least: 1, most: 1 }
}

/**
 * A use case leaves the event that its declaration promises: no more, no less. What it wrote is rolled back otherwise.
 *
 * @throws Error (a bug, 500) when the events are not the declared ones
 */
export function checkAudit(route: Route, entries: readonly AuditEntry[]): void {
  const { names, least, most } = dutyOf(route)
  const right = entries.every((entry) => names.includes(entry.name))
  if (right && entries.length >= least && entries.length <= most) return
  const left = entries.map((entry) => entry.name).join(', ') || 'none'
  const promised = JSON.stringify(route.audit ?? 'none')
  throw new Error(`${route.method} ${route.url} declares the audit event ${promised} and left ${left}`)
}
