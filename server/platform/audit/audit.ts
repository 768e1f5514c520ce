import type { Kysely } from 'kysely'
import type { AuditEventName } from '#contract/audit-event.ts'
import { cutText } from '../cut-text.ts'
import type { Db } from '../database/database.ts'
import type { DB } from '../database/database-types.ts'
import { executePrepared } from '../database/prepared-statements.ts'
import { newId } from '../ids.ts'
import { maxValue } from './long-lists.ts'
import { closeFailureHours, isRepeatedFailure } from './repeated-failures.ts'

/**
 * One property that changed, with values as readable text of at most `maxValue` characters: of longer ones that begin alike, `…` and
 * the part from shortly before they first differ. Secrets are left out; ssn and phone are masked.
 */
export interface Change {
  property: string
  previousValue: string | null
  newValue: string | null
}

/** What a handler reports; the request pipeline adds who, when and in which request. */
export interface AuditEntry {
  name: AuditEventName
  /** What changed, with a label that stays readable after it is deleted; an unknown address has no id. */
  target?: { id: string | null; label: string }
  /** State before and after; the difference becomes the list of changes. Created: no `before`; deleted: no `after`. */
  before?: Record<string, unknown>
  after?: Record<string, unknown>
  /** The organisations that the event concerns, whose admins may read it; by default those of an actor who is the target too, or without one. */
  organizationIds?: readonly string[]
  /** Who did it, where that is not the actor of the request: a sign-in has no session yet, a failed one nobody. */
  actor?: { id: string; label: string; organizationIds?: readonly string[] } | null
}

interface EventContext {
  actor?: { id: string; label: string; organizationIds: readonly string[] } | undefined
  requestId: string
  now: Date
}

// Properties that are always masked.
const masked: Record<string, (value: string) => string> = {
  ssn: (value) => (/^[0-9]{12}$/.test(value) ? `${value.slice(0, 8)}-****` : '****'),
  phoneNumber: (value) => `${value.slice(0, 3)}*****${value.slice(-2)}`,
}
/** A number that someone types into a search or a message. Digits inside a longer number or an id do not match. */
const anySsn =
  /(?<![0-9a-f-])((?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01]))[-+]?[0-9]{4}(?![0-9a-f-])/gi
const secret = /password|token|secret|hash|sealed|certificatekey/i
/** Settings about tokens, which hold none. */
const isSetting = new Set(['idTokenClaims', 'idTokenAlgorithm', 'apiToken'])
const isSecret = (property: string) => secret.test(property) && !isSetting.has(property)
const ignored = new Set(['version', 'createdAt'])

// Nested properties are filtered too.
const withoutSecrets = (property: string, value: unknown): unknown => {
  if (isSecret(property)) return undefined
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
  // PostgreSQL cannot store NUL or lone surrogates; the event must be written anyway.
  const storable = plain.replaceAll('\u0000', '\uFFFD').toWellFormed()
  const mask = masked[property]
  return mask ? mask(storable) : storable.replaceAll(anySsn, '$1-****')
}

/** How much of what is alike stands before the first difference, where that would be cut off. */
const alikeBefore = 200

/** Two values no longer than an event holds. Where the end is cut off, they begin shortly before they differ: else they would look alike. */
function cutBoth(previous: string | null, next: string | null): (string | null)[] {
  const longest = Math.max(previous?.length ?? 0, next?.length ?? 0)
  let alike = 0
  while (alike < longest && previous?.[alike] === next?.[alike]) alike++
  const from = longest > maxValue && alike > maxValue / 2 ? alike - alikeBefore : 0
  return [previous, next].map((text) => text && cutText(from ? `…${text.slice(from)}` : text, maxValue))
}

const orNull = (value: unknown) => (value === '' ? null : (value ?? null))

/** Lists what differs between two states, without secrets. */
export function listChanges(before: Record<string, unknown> = {}, after: Record<string, unknown> = {}): Change[] {
  const properties = new Set([...Object.keys(before), ...Object.keys(after)])
  const changes: Change[] = []
  for (const property of properties) {
    if (isSecret(property) || ignored.has(property)) continue
    // Compared before masking: two numbers with the same mask are still a change.
    const differs = JSON.stringify(orNull(before[property])) !== JSON.stringify(orNull(after[property]))
    if (!differs) continue
    const [previousValue = null, newValue = null] = cutBoth(
      asText(property, before[property]),
      asText(property, after[property]),
    )
    changes.push({ property, previousValue, newValue })
  }
  return changes
}

const labelOf = (one: { label?: string | undefined } | undefined) =>
  cutText(asText('label', one?.label) ?? '', maxValue) || null

/** Builds the row of an event; `write-sign-in.repository.ts` is the only other place that inserts one. */
export function toAuditRow(entry: AuditEntry, { actor, requestId, now }: EventContext) {
  const who = entry.actor === null ? undefined : (entry.actor ?? actor)
  // Where nothing else is said. The other organisations of somebody who joins one, or asks for a service there, must not learn it.
  const concernsActor = who !== undefined && (!entry.target?.id || entry.target.id === who.id)
  return {
    id: newId(),
    name: entry.name,
    actorId: who?.id ?? null,
    actor: labelOf(who),
    targetId: entry.target?.id ?? null,
    target: labelOf(entry.target),
    organizationIds: [...new Set(entry.organizationIds ?? ((concernsActor && who.organizationIds) || []))],
    changes: JSON.stringify(listChanges(entry.before, entry.after)),
    requestId,
    createdAt: now,
  }
}

/**
 * Writes one event in the transaction of its change. The sealer gives it its place in the chain after the commit. More
 * than twenty failed sign-ins of one address and origin in an hour are only counted: `writeRepeatedFailures`.
 */
export async function writeAuditEvent(db: Db, entry: AuditEntry, context: EventContext): Promise<void> {
  if (entry.name === 'loginFailure' && (await isRepeatedFailure(db, entry, context.now))) return
  await insertEvent(db, entry, context)
}

const insertEvent = async (db: Db, entry: AuditEntry, context: EventContext) => {
  await executePrepared(db, db.insertInto('auditEvents').values(toAuditRow(entry, context)))
}

/** Writes one event for the failed sign-ins of each hour, address and origin that were too many for one each. */
export const writeRepeatedFailures = (db: Kysely<DB>, now: Date): Promise<void> =>
  closeFailureHours<AuditEntry>(db, now, (trx, entry) =>
    insertEvent(trx, entry, { requestId: 'repeated failures', now }),
  )
