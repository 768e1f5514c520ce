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

/**
 * How many labels are looked up one by one, in the index of each month. With more, each event is compared with all of them: a name
 * that so many have stands in some of the newest ones.
 */
const mostLookedUp = ({ from }: EventFilters) => (from ? 5000 : 500)

/** Of an actor, only where the viewer may know who it was. */
const knownOn = (viewer: Viewer, side: Side) => (side === 'actor' ? [mayKnowActor(viewer)] : [])

interface Sight {
  db: Db
  viewer: Viewer
  /** What the viewer may read. */
  inSight: Condition
  mostLookedUp: number
}

const isFound = async ({ db, inSight }: Sight, condition: Condition): Promise<boolean> => {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from audit_events e where ${inSight} and ${condition}) as found`.execute(db)
  return rows[0]?.found ?? false
}

/**
 * Whether the label or name of one of the sides has all words. A whole address that the viewer finds in the log means that person
 * alone: the index of labels finds it at once, where that of trigrams reads those of every part of it.
 */
async function names(sight: Sight, sides: readonly Side[], words: readonly string[]): Promise<Condition> {
  const { db, viewer, mostLookedUp } = sight
  const [word = '', ...more] = words
  if (more.length === 0 && /^[^@]{1,200}@[^@]+\.[^@.]{2,}$/.test(word)) {
    const is = any(sides.map((side) => all([sql<boolean>`${labelOf(side)} = ${word}`, ...knownOn(viewer, side)])))
    if (await isFound(sight, is)) return is
  }
  const labels = await findLabelsByName(db, viewer, words)
  const isNamed = (side: Side) => sql<boolean>`${labelOf(side)} in (select unnest(${labels}::text[]))`
  // As the result of a query: else the planner looks at each label for each month.
  const isLookedUp = (side: Side) => sql<boolean>`${labelOf(side)} = any (array(select unnest(${labels}::text[])))`
  const ifAny = (condition: Condition) => (labels.length > 0 ? [condition] : [])
  const found = labels.length > mostLookedUp ? isNamed : isLookedUp
  const hold = (text: RawBuilder<unknown>, parts = words) =>
    all(parts.map((word) => sql<boolean>`${text} like ${containsPattern(word)}`))
  // The indexes find the events by both labels; which side has all words is asked of what they find.
  const has = (side: Side) => all([any([hold(whole(side)), ...ifAny(isNamed(side))]), ...knownOn(viewer, side)])
  return all([
    any([hold(bothLabels, words.map(asIndexed)), ...sides.flatMap((side) => ifAny(found(side)))]),
    any(sides.map(has)),
  ])
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
  const inSight = mayRead(viewer, organizationFilter)
  const conditions: Condition[] = [inSight]
  if (kindFilter) conditions.push(sql`e.name = any (${namesOf[kindFilter]}::text[])`)
  if (nameFilter) conditions.push(sql`e.name = ${nameFilter}`)
  if (targetIdFilter) conditions.push(sql`e.target_id = ${targetIdFilter}`)
  if (from) conditions.push(sql`e.created_at >= ${new Date(from)}`)
  if (until) conditions.push(sql`e.created_at < ${new Date(until)}`)
  const [actor, target, text] = [wordsOf(actorFilter), wordsOf(targetFilter), wordsOf(textFilter)]
  const sight = { db, viewer, inSight, mostLookedUp: mostLookedUp(filters) }
  if (actor.length > 0) conditions.push(await names(sight, ['actor'], actor))
  if (target.length > 0) conditions.push(await names(sight, ['target'], target))
  if (text.length > 0) conditions.push(await mentions(sight, text))
  return all(conditions)
}

/** Words that are looked for one by one: each is a statement. */
const mostApart = 10

/**
 * All words of one side. If nobody in the log of the viewer has them all, each word may stand on either side: "anna emil" finds
 * what Anna did to Emil.
 */
async function mentions(sight: Sight, words: readonly string[]): Promise<Condition> {
  const either = ['actor', 'target'] as const
  const whole = await names(sight, either, words)
  if (words.length === 1 || words.length > mostApart || (await isFound(sight, whole))) return whole
  const each: Condition[] = []
  // Never at once: one search would take every connection.
  for (const word of words) each.push(await names(sight, either, [word]))
  return all(each)
}
