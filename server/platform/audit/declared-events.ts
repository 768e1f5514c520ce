import type { AuditEventName } from '#contract/audit-event.ts'
import type { Route } from '#contract/route.ts'
import type { AuditEntry } from './audit.ts'

interface Rule {
  /** The events that are counted. */
  names: readonly AuditEventName[]
  min: number
  max: number
  following?: readonly AuditEventName[]
}

function toRule({ audit = 'none' }: Route): Rule {
  if (audit === 'none') return { names: [], min: 0, max: 0 }
  if (typeof audit === 'string') return { names: [audit], min: 1, max: 1 }
  if ('atMost' in audit) return { names: audit.atMost, min: 0, max: 1, following: [audit.andFollowing ?? []].flat() }
  if ('many' in audit) return { names: [audit.many].flat(), min: 0, max: Number.POSITIVE_INFINITY }
  if ('one' in audit) return { names: [audit.one], min: 1, max: 1, following: [audit.andFollowing].flat() }
  return { names: audit, min: 1, max: 1 }
}

/**
 * Checks that a handler recorded exactly the audit events that its route declares. Otherwise its changes are rolled back.
 *
 * @throws Error (a bug, 500) when the events differ from the declared ones
 */
export function checkDeclaredEvents(route: Route, entries: readonly AuditEntry[]): void {
  const { names, min, max, following = [] } = toRule(route)
  const own = entries.filter((entry) => !following.includes(entry.name))
  const allowed = own.every((entry) => names.includes(entry.name))
  if (allowed && own.length >= min && own.length <= max) return
  const recorded = entries.map((entry) => entry.name).join(', ') || 'none'
  const declared = JSON.stringify(route.audit ?? 'none')
  throw new Error(`${route.method} ${route.url} declares the audit event ${declared} but recorded ${recorded}`)
}
