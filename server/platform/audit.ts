import { type RawBuilder, sql } from 'kysely'
import type { AuditEventName } from '#contract/audit-event.ts'
import type { Db } from './database.ts'
import { newId } from './ids.ts'
import { prepared } from './prepared-statements.ts'

/** One property that changed. Values are texts as a person reads them; secrets never, ssn and phone only masked. */
export interface Change {
  property: string
  previousValue: string | null
  newValue: string | null
}

/** What a use case tells of itself; the door adds who, when and in which request. */
export interface AuditEntry {
  name: AuditEventName
  /** What it was done to, with the label that the event keeps when the thing is gone; an unknown address has no id. */
  target?: { id: string | null; label: string }
  /** Before and after: what differs becomes the list of changes. A created thing has no before, a deleted one no after. */
  before?: Record<string, unknown>
  after?: Record<string, unknown>
  /** Organisations of the target, whose admins may read the event. */
  organizationIds?: readonly string[]
  /** Who did it, where that is not the actor of the request: at sign-in there is no session yet. */
  actor?: { id: string; label: string; organizationIds?: readonly string[] }
}

interface Circumstances {
  actor?: { id: string; label: string; organizationIds: readonly string[] } | undefined
  requestId: string
  now: Date
}

// Properties that never reach the log in full, whoever passes them.
const masked: Record<string, (value: string) => string> = {
  ssn: (value) => (/^[0-9]{12}$/.test(value) ? `${value.slice(0, 8)}-****` : '****'),
  phoneNumber: (value) => `${value.slice(0, 3)}*****${value.slice(-2)}`,
}
const secret = /password|token|secret|hash|sealed|certificatekey/i
const unimportant = new Set(['version', 'createdAt'])

// What lies inside a list or an object is no less secret than what has a property of its own.
const withoutSecrets = (property: string, value: unknown): unknown => {
  if (secret.test(property)) return undefined
  const mask = masked[property]
  return mask && typeof value === 'string' ? mask(value) : value
}

const asText = (property: string, value: unknown): string | null => {
  if (value === undefined || value === null || value === '') return null
  const plain =
    typeof value === 'string'
      ? value
      : value instanceof Date
        ? value.toISOString()
        : JSON.stringify(value, withoutSecrets)
  // A text that PostgreSQL cannot store must not keep the event from being written.
  const storable = plain.replaceAll('\u0000', '\uFFFD').toWellFormed()
  const mask = masked[property]
  return (mask ? mask(storable) : storable).slice(0, 4000)
}

const orNull = (value: unknown) => (value === '' ? null : (value ?? null))

/** What differs between two states, secrets left out. */
export function changesBetween(before: Record<string, unknown> = {}, after: Record<string, unknown> = {}): Change[] {
  const properties = new Set([...Object.keys(before), ...Object.keys(after)])
  const changes: Change[] = []
  for (const property of properties) {
    if (secret.test(property) || unimportant.has(property)) continue
    // Compared before masking: two numbers that mask alike are still a change.
    const differs = JSON.stringify(orNull(before[property])) !== JSON.stringify(orNull(after[property]))
    if (!differs) continue
    changes.push({
      property,
      previousValue: asText(property, before[property]),
      newValue: asText(property, after[property]),
    })
  }
  return changes
}

function rowOf(entry: AuditEntry, { actor, requestId, now }: Circumstances) {
  const who = entry.actor ?? actor
  return {
    id: newId(),
    name: entry.name,
    actorId: who?.id ?? null,
    actor: asText('actor', who?.label),
    targetId: entry.target?.id ?? null,
    target: asText('target', entry.target?.label),
    organizationIds: [...new Set([...(entry.organizationIds ?? []), ...(who?.organizationIds ?? [])])],
    changes: JSON.stringify(changesBetween(entry.before, entry.after)),
    requestId,
    createdAt: now,
  }
}

/**
 * Writes one event into the chain. Called by the door at the end of the transaction, because the chain's head is
 * locked from here until the commit.
 */
export async function writeAuditEvent(db: Db, entry: AuditEntry, circumstances: Circumstances): Promise<void> {
  await prepared(db, db.insertInto('auditEvents').values(rowOf(entry, circumstances)))
}

/**
 * Makes a change and writes its event in one statement, for what must not cost a round trip more than it has to.
 *
 * @param change common table expressions; the one called `done` has a row exactly when the change happened, and reads
 * from all that wait for rows of others: the chain's head is locked after them, as everywhere
 * @returns whether it happened; if not, there is no event
 */
export async function changeWithAuditEvent(
  db: Db,
  change: RawBuilder<unknown>,
  entry: AuditEntry,
  circumstances: Circumstances,
): Promise<boolean> {
  const row = rowOf(entry, circumstances)
  const statement = sql`
    with ${change}
    insert into audit_events (id, name, actor_id, actor, target_id, target, organization_ids, changes, request_id, created_at)
    select ${row.id}::uuid, ${row.name}, ${row.actorId}::uuid, ${row.actor}, ${row.targetId}, ${row.target},
      ${row.organizationIds}::uuid[], ${row.changes}::jsonb, ${row.requestId}, ${row.createdAt}::timestamptz
    from done`
  return (await prepared(db, statement)).numAffectedRows === 1n
}
