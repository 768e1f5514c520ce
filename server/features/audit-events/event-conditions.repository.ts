import { type RawBuilder, sql } from 'kysely'
import { auditEventNames } from '#contract/audit-event.ts'
import { type auditEvents, eventsOfKindSignIns } from '#contract/audit-events/audit-events.ts'
import type { QueryOf } from '#contract/route.ts'
import type { Db } from '#server/platform/database/database.ts'
import { containsPattern } from '#server/platform/database/paging.ts'
import { parseSearchTerms } from '#server/platform/database/search.ts'
import { mayKnowActor, mayRead } from './events-in-sight.repository.ts'
import { findLabelsByName } from './people-by-name.repository.ts'
import type { Viewer } from './viewer.ts'

export type Filters = QueryOf<typeof auditEvents.list>
/** The filters alone, as an export has them. */
export type EventFilters = Omit<Filters, 'page' | 'sort' | 'sortDirection'>

// Each by its names, so that the index of names finds the few changes among many sign-ins.
const namesOf = {
  signIns: eventsOfKindSignIns,
  changes: auditEventNames.filter((name) => !(eventsOfKindSignIns as readonly string[]).includes(name)),
}

type Condition = RawBuilder<boolean>
type Side = 'actor' | 'target'

const all = (conditions: readonly Condition[]) => sql<boolean>`(${sql.join([sql`true`, ...conditions], sql` and `)})`
const any = (conditions: readonly Condition[]) => sql<boolean>`(${sql.join([...conditions], sql` or `)})`

const whole = (side: Side) => sql.ref(side === 'actor' ? 'e.actorSearch' : 'e.targetSearch')

/** The label of a side of `audit_events e`, as the indexes have it: folded, and no longer than they can hold. */
export const labelOf = (side: Side) => sql<string>`left(${whole(side)}, 300)`

/** Both labels in one, as the index of trigrams has them: with a letter for the @, at which trigrams would be split. */
const bothLabels = sql`replace(e.actor_search || chr(10) || e.target_search, '@', 'q')`

/** What the index is asked for. Of an address its beginning: the trigrams of a domain, which very many events have, take longer to read. */
const asIndexed = (word: string) => word.replace(/(?<=[^@]{3}@.{3}).+/, '').replaceAll('@', 'q')

/** Labels that the planner looks at one by one. Of more it would take longer to plan than to compare each event with a hash table. */
const most = 100

/** Whether the label or name of one of the sides has all words. Of an actor, only where the viewer may know who it was. */
async function names(db: Db, viewer: Viewer, sides: readonly Side[], words: readonly string[]): Promise<Condition> {
  const labels = await findLabelsByName(db, viewer, words)
  const list = labels.length > most ? sql`in (select unnest(${labels}::text[]))` : sql`= any (${labels}::text[])`
  const named = (side: Side) => (labels.length > 0 ? [sql<boolean>`${labelOf(side)} ${list}`] : [])
  const hold = (text: RawBuilder<unknown>, parts = words) =>
    all(parts.map((word) => sql<boolean>`${text} like ${containsPattern(word)}`))
  // The indexes find the events by both labels; which side has all words is asked of what they find.
  const has = (side: Side) =>
    all([any([hold(whole(side)), ...named(side)]), ...(side === 'actor' ? [mayKnowActor(viewer)] : [])])
  return all([any([hold(bothLabels, words.map(asIndexed)), ...sides.flatMap(named)]), any(sides.map(has))])
}

/**
 * Which of `audit_events e` the viewer may read and the filters ask for. Every read of events goes through this, so that none
 * can leave the viewer out.
 */
export async function conditionsOf(db: Db, viewer: Viewer, filters: EventFilters): Promise<Condition> {
  const {
    kindFilter,
    nameFilter,
    organizationFilter,
    targetIdFilter,
    actorFilter,
    targetFilter,
    textFilter,
    from,
    until,
  } = filters
  const wordsOf = (text: string | undefined) => parseSearchTerms(text ?? '')?.words ?? []
  const conditions: Condition[] = [mayRead(viewer, organizationFilter)]
  if (kindFilter) conditions.push(sql`e.name = any (${namesOf[kindFilter]}::text[])`)
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
