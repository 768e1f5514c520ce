import { sql } from 'kysely'
import { maxCountedEvents, maxListedValue } from '#contract/audit-events.ts'
import type { Change } from '#server/platform/audit/audit.ts'
import { sealAuditEvents } from '#server/platform/audit/sealer.ts'
import type { Db } from '#server/platform/database/database.ts'
import { toOffsetAndLimit } from '#server/platform/database/paging.ts'
import { executePrepared } from '#server/platform/database/prepared-statements.ts'
import { changesInSight } from './changes-in-sight.ts'
import { findPage } from './event-pages.ts'
import { findNext } from './event-rows.ts'
import { type EventFilters, type Filters, toSearch } from './event-search.ts'
import { namesAtTheTime } from './names-at-the-time.ts'
import { mayKnowActor, type Viewer } from './viewer.ts'

const columns = [
  'e.id',
  'name',
  'targetId',
  'target',
  'e.createdAt',
  'organizationIds',
  'changes',
  'requestId',
] as const

/** A column of the actor, where the viewer may know who it was. */
const knownActor = (viewer: Viewer, column: 'actor' | 'actorId') =>
  viewer === 'everything'
    ? sql<string | null>`${sql.ref(column)}`
    : sql<string | null>`case when ${mayKnowActor(viewer)} then ${sql.ref(column)} end`

/** Every read of events begins here, so that none can leave the viewer out. */
function eventsFor(db: Db, viewer: Viewer) {
  const events = db
    .selectFrom('auditEvents as e')
    .select(columns)
    .select([knownActor(viewer, 'actor').as('actor'), knownActor(viewer, 'actorId').as('actorId')])
  return viewer === 'everything'
    ? events
    : events.where(sql<boolean>`organization_ids && ${viewer.organizationIds}::uuid[]`)
}

type Row = Awaited<ReturnType<ReturnType<typeof eventsFor>['executeTakeFirstOrThrow']>>

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

const cut = (value: string | null) =>
  value && value.length > maxListedValue ? `${value.slice(0, maxListedValue - 1).toWellFormed()}…` : value

/** The events at these places of the chain, in their order. */
async function readEvents(db: Db, viewer: Viewer, places: readonly number[]) {
  // The time names the month, so that only its partition is looked at. To plan for all months takes longer than to read.
  const { rows } = await executePrepared(
    db,
    eventsFor(db, viewer)
      .innerJoin('auditChain as c', (join) =>
        join.onRef('c.eventId', '=', 'e.id').onRef('c.createdAt', '=', 'e.createdAt'),
      )
      .select('c.seq')
      .where('sealed', '=', true)
      .where('c.seq', '=', sql<number>`any (${places}::bigint[])`),
  )
  const at = new Map(rows.map(({ seq, ...row }) => [Number(seq), row]))
  return toEvents(
    db,
    viewer,
    places.flatMap((place) => at.get(place) ?? []),
  )
}

/** A page of the events that the viewer may read. */
export async function listEvents(db: Db, viewer: Viewer, filters: Filters, itemsPerPage: number) {
  // An event is in the index once it is sealed, and one of this moment is to be found as well.
  await sealAuditEvents(db, { waits: true, most: 3 })
  const search = await toSearch(db, viewer, filters)
  const { sort, sortDirection } = filters
  const page = { sort, sortDirection, ...toOffsetAndLimit(filters, itemsPerPage) }
  const { places, count } = search ? await findPage(db, search, page) : { places: [], count: 0 }
  const items = await readEvents(db, viewer, places)
  return {
    itemsPerPage,
    totalCount: Math.min(count, maxCountedEvents),
    hasMore: count > maxCountedEvents,
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
  const row = await eventsFor(db, viewer).where('e.id', '=', id).executeTakeFirst()
  return row && (await toEvents(db, viewer, [row]))[0]
}

/**
 * Reads the events that the viewer may read, the oldest first, some at a time. Each time it goes on after the last one, so
 * that a long list needs neither memory nor a long transaction.
 */
export async function* readEventsInOrder(db: Db, viewer: Viewer, filters: EventFilters, limit = 2000) {
  await sealAuditEvents(db, { waits: true })
  const search = await toSearch(db, viewer, filters)
  let after = { at: '-infinity', seq: 0 }
  while (search) {
    const places = await findNext(db, search, after, limit)
    const last = places.at(-1)
    if (!last) return
    yield await readEvents(
      db,
      viewer,
      places.map(({ seq }) => seq),
    )
    after = last
  }
}
