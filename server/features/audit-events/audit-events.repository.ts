import { type SelectQueryBuilder, sql } from 'kysely'
import { type auditEvents, maxCountedEvents } from '#contract/audit-events.ts'
import type { QueryOf } from '#contract/route.ts'
import type { Change } from '#server/platform/audit/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { DB } from '#server/platform/database/database-types.ts'
import { containsPattern, toOffsetAndLimit } from '#server/platform/database/paging.ts'

/** Whose events may be read. */
export type Viewer = 'everything' | { organizationIds: readonly string[] }

type Filters = QueryOf<typeof auditEvents.list>
type Events<Row> = SelectQueryBuilder<DB, 'auditEvents', Row>

const columns = ['id', 'name', 'target', 'createdAt'] as const

/**
 * The actor as the viewer may know them: an admin sees the own members, and people in events of their own account. Admins
 * of other organisations and super users stay unnamed.
 */
const actorFor = (viewer: Viewer) =>
  viewer === 'everything'
    ? sql<string | null>`actor`
    : sql<string | null>`case when actor_id::text = target_id or exists (
        select from memberships m
        where m.account_id = actor_id and m.organization_id = any (${viewer.organizationIds}::uuid[])) then actor end`

/** Every read of events begins here, so that none can leave the viewer out. */
function eventsFor(db: Db, viewer: Viewer): Events<object> {
  const events = db.selectFrom('auditEvents')
  return viewer === 'everything' ? events : events.where(concerns(viewer.organizationIds))
}

const concerns = (organizationIds: readonly string[]) => sql<boolean>`organization_ids && ${organizationIds}::uuid[]`

function filtered(events: Events<object>, viewer: Viewer, filters: Filters): Events<object> {
  const { nameFilter, actorFilter, targetFilter, organizationFilter, from, until } = filters
  let query = events
  if (nameFilter) query = query.where('name', '=', nameFilter)
  if (actorFilter) query = query.where(sql<boolean>`(${actorFor(viewer)}) ilike ${containsPattern(actorFilter)}`)
  if (targetFilter) query = query.where('target', 'ilike', containsPattern(targetFilter))
  // Of another organisation the filter finds nothing: it would tell which members belong there too.
  if (organizationFilter) {
    const mayAsk = viewer === 'everything' || viewer.organizationIds.includes(organizationFilter)
    query = query.where(mayAsk ? concerns([organizationFilter]) : sql<boolean>`false`)
  }
  if (from) query = query.where('createdAt', '>=', new Date(from))
  if (until) query = query.where('createdAt', '<', new Date(until))
  return query
}

/** A page of the events that the viewer may read; the newest first where the sorted column is alike. */
export async function listEvents(db: Db, viewer: Viewer, filters: Filters, itemsPerPage: number) {
  const events = filtered(eventsFor(db, viewer), viewer, filters)
  const { offset, limit } = toOffsetAndLimit(filters, itemsPerPage)
  const { sort, sortDirection } = filters
  const ordered =
    sort === 'createdAt'
      ? events.orderBy('createdAt', sortDirection).orderBy('id', sortDirection)
      : events
          .orderBy(sort === 'actor' ? actorFor(viewer) : sort, (order) =>
            (sortDirection === 'asc' ? order.asc() : order.desc()).nullsLast(),
          )
          .orderBy('createdAt', 'desc')
          .orderBy('id', 'desc')
  const rows = await ordered.select(columns).select(actorFor(viewer).as('actor')).offset(offset).limit(limit).execute()
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
  return {
    itemsPerPage,
    totalCount: Math.min(Number(count), maxCountedEvents),
    hasMore: Number(count) > maxCountedEvents,
    items: rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() })),
  }
}

/** One event, where the viewer may read it. */
export async function findEvent(db: Db, viewer: Viewer, id: string) {
  const row = await eventsFor(db, viewer)
    .select([...columns, 'changes', 'requestId', 'organizationIds'])
    .select(actorFor(viewer).as('actor'))
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  const { createdAt, changes, ...rest } = row
  return { ...rest, createdAt: createdAt.toISOString(), changes: changes as unknown as Change[] }
}
