import { sql } from 'kysely'
import { maxListedValue } from '#contract/audit-events/audit-events.ts'
import { maxCounted } from '#contract/fields/fields.ts'
import type { Change } from '#server/platform/audit/audit.ts'
import { cutText } from '#server/platform/cut-text.ts'
import type { Db } from '#server/platform/database/database.ts'
import { toOffsetAndLimit } from '#server/platform/database/paging.ts'
import { changesInSight } from './changes-in-sight.ts'
import { conditionsOf, type EventFilters, type Filters, labelOf } from './event-conditions.repository.ts'
import { mayKnowActor, mayRead } from './events-in-sight.repository.ts'
import { namesAtTheTime } from './names-at-the-time.repository.ts'
import { readsOfAll, type Viewer } from './viewer.ts'

type Condition = Awaited<ReturnType<typeof conditionsOf>>

/** The events that meet a condition of `conditionsOf`, with their actor where the viewer may know who it was. */
function eventsFor(db: Db, viewer: Viewer, condition: Condition) {
  const known = (column: 'actor' | 'actorId') =>
    sql<string | null>`case when ${mayKnowActor(viewer)} then e.${sql.ref(column)} end`.as(column)
  return db
    .selectFrom('auditEvents as e')
    .select(['e.id', 'name', 'targetId', 'target', 'e.createdAt', 'organizationIds', 'changes', 'requestId'])
    .select([known('actor'), known('actorId')])
    .where(condition)
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
  value && value.length > maxListedValue ? `${cutText(value, maxListedValue - 1)}…` : value

const directions = { asc: sql`asc`, desc: sql`desc` }
const opposite = { asc: 'desc', desc: 'asc' } as const

/**
 * By time; by another column the newest first where it is alike, and descending the exact reverse. An actor whom the viewer may
 * not know stands at the end, in both directions: the order would tell who it was.
 */
function orderOf(viewer: Viewer, { sort, sortDirection }: Pick<Filters, 'sort' | 'sortDirection'>) {
  const direction = directions[sortDirection]
  const byTime = (towards: keyof typeof directions) =>
    sql`e.created_at ${directions[towards]}, e.id ${directions[towards]}`
  if (sort === 'createdAt') return byTime(sortDirection)
  const columns = {
    name: sql`e.name collate "C" ${direction}`,
    target: sql`${labelOf('target')} ${direction}`,
    actor: readsOfAll(viewer)
      ? sql`${labelOf('actor')} ${direction}`
      : sql`case when ${mayKnowActor(viewer)} and e.actor is not null then ${labelOf('actor')} end ${direction} nulls last`,
  }
  return sql`${columns[sort]}, ${byTime(opposite[sortDirection])}`
}

/** A page of the events that the viewer may read. */
export async function listEvents(db: Db, viewer: Viewer, filters: Filters, itemsPerPage: number) {
  const condition = await conditionsOf(db, viewer, filters)
  const { offset, limit } = toOffsetAndLimit(filters, itemsPerPage)
  const rows = await eventsFor(db, viewer, condition)
    .orderBy(orderOf(viewer, filters))
    .offset(offset)
    .limit(limit)
    .execute()
  const isLastPage = rows.length < limit && (rows.length > 0 || offset === 0)
  const count = isLastPage ? offset + rows.length : await countEvents(db, condition)
  const items = await toEvents(db, viewer, rows)
  const newestFirst = filters.sort !== 'createdAt' || filters.sortDirection === 'desc'
  const isEnd = isLastPage || (count <= maxCounted && offset + rows.length >= count)
  return {
    itemsPerPage,
    totalCount: Math.min(count, maxCounted),
    hasMore: count > maxCounted,
    coldMonths: newestFirst && isEnd ? await findColdMonths(db, filters.from) : null,
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

/** The months in files, where there are some that are over after `from`. */
export async function findColdMonths(db: Db, from = '-infinity') {
  const { rows } = await sql<{ first: string; last: string }>`
    select min(month) as first, max(month) as last from audit_cold_months
    having audit_month_end(max(month)) > ${from}`.execute(db)
  return rows[0] ?? null
}

/** How many events there are; one more than `maxCounted` where there are more than these. */
async function countEvents(db: Db, condition: Condition): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count
    from (select from audit_events e where ${condition} limit ${maxCounted + 1}) counted`.execute(db)
  return rows[0]?.count ?? 0
}

/** One event, where the viewer may read it. */
export async function findEvent(db: Db, viewer: Viewer, id: string) {
  const row = await eventsFor(db, viewer, mayRead(viewer)).where('e.id', '=', id).executeTakeFirst()
  return row && (await toEvents(db, viewer, [row]))[0]
}

/**
 * Reads the events that the viewer may read, the oldest first, some at a time. Each time it goes on after the last one, so
 * that a long list needs neither memory nor a long transaction.
 */
export async function* readEventsInOrder(db: Db, viewer: Viewer, filters: EventFilters, limit = 2000) {
  const condition = await conditionsOf(db, viewer, filters)
  let after = { at: '-infinity', id: '00000000-0000-0000-0000-000000000000' }
  for (;;) {
    const rows = await eventsFor(db, viewer, condition)
      // PostgreSQL's own text: a Date has no microseconds.
      .select(sql<string>`e.created_at::text`.as('at'))
      .where(sql<boolean>`(e.created_at, e.id) > (${after.at}::timestamptz, ${after.id}::uuid)`)
      .orderBy(sql`e.created_at, e.id`)
      .limit(limit)
      .execute()
    const last = rows.at(-1)
    if (!last) return
    yield await toEvents(
      db,
      viewer,
      rows.map(({ at: _, ...row }) => row),
    )
    after = { at: last.at, id: last.id }
  }
}

/** The name of an organisation; undefined for one that does not exist. */
export const findOrganizationName = async (db: Db, organizationId: string): Promise<string | undefined> =>
  (await db.selectFrom('organizations').select('name').where('organizationId', '=', organizationId).executeTakeFirst())
    ?.name
