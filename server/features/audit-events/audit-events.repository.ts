import { sql } from 'kysely'
import { maxCountedEvents, maxListedValue } from '#contract/audit-events.ts'
import type { Change } from '#server/platform/audit/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { toOffsetAndLimit } from '#server/platform/database/paging.ts'
import { changesInSight } from './changes-in-sight.ts'
import { beginningOf, concerns, type EventFilters, type Events, type Filters, filtered } from './event-filters.ts'
import { namesAtTheTime } from './names-at-the-time.ts'
import { mayKnowActor, type Viewer } from './viewer.ts'

const columns = ['id', 'name', 'targetId', 'target', 'createdAt', 'organizationIds', 'changes', 'requestId'] as const

/** A column of the actor, where the viewer may know who it was. */
const knownActor = (viewer: Viewer, column: 'actor' | 'actorId') =>
  viewer === 'everything'
    ? sql<string | null>`${sql.ref(column)}`
    : sql<string | null>`case when ${mayKnowActor(viewer)} then ${sql.ref(column)} end`

/** Every read of events begins here, so that none can leave the viewer out. */
function eventsFor(db: Db, viewer: Viewer): Events {
  const events = db.selectFrom('auditEvents')
  return viewer === 'everything' ? events : events.where(concerns(viewer.organizationIds))
}

const whole = (events: Events, viewer: Viewer) =>
  events.select(columns).select([knownActor(viewer, 'actor').as('actor'), knownActor(viewer, 'actorId').as('actorId')])

type Row = Awaited<ReturnType<ReturnType<typeof whole>['executeTakeFirstOrThrow']>>

/** The events as the viewer may read them, with the names of the time. */
async function toEvents(db: Db, viewer: Viewer, rows: readonly Row[]) {
  const nameOf = await namesAtTheTime(
    db,
    rows.flatMap(({ actorId, targetId }) => [actorId, targetId]),
  )
  return rows.map(({ organizationIds, changes, createdAt, ...row }) => ({
    ...row,
    createdAt: createdAt.toISOString(),
    actorName: nameOf(row.actorId, createdAt),
    targetName: nameOf(row.targetId, createdAt),
    changes: changesInSight(changes as unknown as Change[], organizationIds, viewer),
  }))
}

function ordered(events: Events, viewer: Viewer, { sort, sortDirection }: Filters): Events {
  if (sort === 'createdAt') return events.orderBy('createdAt', sortDirection).orderBy('id', sortDirection)
  const by =
    sort === 'name'
      ? sql`name`
      : sort === 'actor' && viewer !== 'everything'
        ? knownActor(viewer, 'actor')
        : beginningOf(sort)
  // Descending is the reverse in everything, so that one index is read either way.
  const within = sortDirection === 'asc' ? 'desc' : 'asc'
  return events.orderBy(by, sortDirection).orderBy('createdAt', within).orderBy('id', within)
}

const cut = (value: string | null) =>
  value && value.length > maxListedValue ? `${value.slice(0, maxListedValue - 1).toWellFormed()}…` : value

/** A page of the events that the viewer may read; in ascending order the newest first where the sorted column is alike. */
export async function listEvents(db: Db, viewer: Viewer, filters: Filters, itemsPerPage: number) {
  const events = await filtered(db, eventsFor(db, viewer), viewer, filters)
  const { offset, limit } = toOffsetAndLimit(filters, itemsPerPage)
  const rows = await whole(ordered(events, viewer, filters), viewer)
    .offset(offset)
    .limit(limit)
    .execute()
  // A count of everything would read millions of rows for a number that nobody reads.
  const { count } = await db
    .selectFrom(
      events
        .select(sql`1`.as('one'))
        .limit(maxCountedEvents + 1)
        .as('counted'),
    )
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const items = await toEvents(db, viewer, rows)
  return {
    itemsPerPage,
    totalCount: Math.min(Number(count), maxCountedEvents),
    hasMore: Number(count) > maxCountedEvents,
    items: items.map(({ changes, ...event }) => ({
      ...event,
      changes: changes.map(({ property, previousValue, newValue }) => ({
        property,
        previousValue: cut(previousValue),
        newValue: cut(newValue),
      })),
    })),
  }
}

/** One event, where the viewer may read it. */
export async function findEvent(db: Db, viewer: Viewer, id: string) {
  const row = await whole(eventsFor(db, viewer), viewer).where('id', '=', id).executeTakeFirst()
  return row && (await toEvents(db, viewer, [row]))[0]
}

/**
 * Reads the events that the viewer may read, the oldest first, some at a time. Each time it goes on after the last one, so
 * that a long list needs neither memory nor a long transaction.
 */
export async function* readEventsInOrder(db: Db, viewer: Viewer, filters: EventFilters, limit = 2000) {
  const events = (await filtered(db, eventsFor(db, viewer), viewer, filters)).orderBy('createdAt').orderBy('id')
  let after: { id: string; moment: string } | undefined
  for (;;) {
    const next = after
      ? events.where(sql<boolean>`(created_at, id) > (${after.moment}::timestamptz, ${after.id}::uuid)`)
      : events
    const rows = await whole(next, viewer)
      // A `Date` has no microseconds.
      .select(sql<string>`created_at::text`.as('moment'))
      .limit(limit)
      .execute()
    if (rows.length > 0) yield await toEvents(db, viewer, rows)
    after = rows.at(-1)
    if (!after || rows.length < limit) return
  }
}
