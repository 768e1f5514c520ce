import { type RawBuilder, sql } from 'kysely'
import type { auditEvents } from '#contract/audit-events.ts'
import type { QueryOf } from '#contract/route.ts'
import type { Db } from '#server/platform/database/database.ts'
import { containsPattern } from '#server/platform/database/paging.ts'
import { parseSearchTerms } from '#server/platform/database/search.ts'
import { findLabelsByName } from './people-by-name.ts'
import { mayKnowActor, mayRead, type Viewer } from './viewer.ts'

export type Filters = QueryOf<typeof auditEvents.list>
/** The filters alone, as an export has them. */
export type EventFilters = Omit<Filters, 'page' | 'sort' | 'sortDirection'>

type Condition = RawBuilder<boolean>
type Side = 'actor' | 'target'

const all = (conditions: readonly Condition[]) => sql<boolean>`(${sql.join([sql`true`, ...conditions], sql` and `)})`

/** The label of a side of `audit_events e`, as the indexes have it: they hold no longer values. */
export const labelOf = (side: Side) => sql<string>`(coalesce(left(e.${sql.ref(side)}, 300), '') collate "C")`

const holds = (text: RawBuilder<unknown>, words: readonly string[]) =>
  all(words.map((word) => sql`${text} like ${containsPattern(word)}`))

/** Both labels in one, as the index of trigrams has them. */
const bothLabels = sql`folded(coalesce(e.actor, '') || chr(10) || coalesce(e.target, ''))`

/** Whether the label or name of one of the sides holds all words. Of an actor, only where the viewer may know who it was. */
async function names(db: Db, viewer: Viewer, sides: readonly Side[], words: readonly string[]): Promise<Condition> {
  const labels = await findLabelsByName(db, viewer, words)
  const isNamed = (side: Side) =>
    labels.length > 0 ? sql<boolean>`${labelOf(side)} = any (${labels}::text[])` : sql<boolean>`false`
  const either = (conditions: readonly Condition[]) => sql<boolean>`(${sql.join(conditions, sql` or `)})`
  // Two indexes find the events; which side has it is asked of what they find.
  const found = either([holds(bothLabels, words), ...sides.map(isNamed)])
  const has = (side: Side) => {
    const known = side === 'actor' ? mayKnowActor(viewer) : sql<boolean>`true`
    return all([either([holds(sql`folded(e.${sql.ref(side)})`, words), isNamed(side)]), known])
  }
  return all([found, either(sides.map(has))])
}

/**
 * Which of `audit_events e` the viewer may read and the filters ask for. Every read of events goes through this, so that none
 * can leave the viewer out.
 */
export async function conditionsOf(db: Db, viewer: Viewer, filters: EventFilters): Promise<Condition> {
  const { nameFilter, organizationFilter, targetIdFilter, actorFilter, targetFilter, textFilter, from, until } = filters
  const wordsOf = (text: string | undefined) => parseSearchTerms(text ?? '')?.words ?? []
  const conditions: Condition[] = [mayRead(viewer, organizationFilter)]
  if (nameFilter) conditions.push(sql`e.name = ${nameFilter}`)
  if (targetIdFilter) conditions.push(sql`e.target_id = ${targetIdFilter}`)
  if (from) conditions.push(sql`e.created_at >= ${new Date(from)}`)
  if (until) conditions.push(sql`e.created_at < ${new Date(until)}`)
  const [actor, target, text] = [wordsOf(actorFilter), wordsOf(targetFilter), wordsOf(textFilter)]
  if (actor.length > 0) conditions.push(await names(db, viewer, ['actor'], actor))
  if (target.length > 0) conditions.push(await names(db, viewer, ['target'], target))
  if (text.length > 0) conditions.push(await mentions(db, viewer, text, conditions[0] as Condition))
  return all(conditions)
}

/**
 * All words of one side. If nobody in the log of the viewer has them all, each word may stand on either side: "anna emil" finds
 * what Anna did to Emil.
 */
async function mentions(db: Db, viewer: Viewer, words: readonly string[], inSight: Condition): Promise<Condition> {
  const either = ['actor', 'target'] as const
  const whole = await names(db, viewer, either, words)
  if (words.length === 1) return whole
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from audit_events e where ${inSight} and ${whole}) as found`.execute(db)
  if (rows[0]?.found) return whole
  return all(await Promise.all(words.map((word) => names(db, viewer, either, [word]))))
}
