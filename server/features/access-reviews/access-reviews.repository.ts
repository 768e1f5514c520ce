import { type RawBuilder, sql } from 'kysely'
import type { OpenReview } from '#contract/access-reviews/review-answers.ts'
import { serviceRolesOf } from '#server/oidc/reach/organizations-claim.ts'
import type { Db } from '#server/platform/database/database.ts'
import { newId } from '#server/platform/ids.ts'

/** A review of an organisation, the open one or the last. */
export interface StoredReview {
  reviewId: string
  organizationId: string
  openedAt: Date
  endingAt: Date | null
  finishedAt: Date | null
  finishedBy: string | null
}

/** The open review of an organisation, or the last one. */
export const findReview = (db: Db, organizationId: string): Promise<StoredReview | undefined> =>
  db
    .selectFrom('accessReviews')
    .select(['reviewId', 'organizationId', 'openedAt', 'endingAt', 'finishedAt', 'finishedBy'])
    .where('organizationId', '=', organizationId)
    .orderBy('openedAt', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Locks the open review, so that concurrent changes run one after the other. */
export const lockOpenReview = (db: Db, organizationId: string) =>
  db
    .selectFrom('accessReviews')
    .select(['reviewId', 'organizationId', 'toldAt', 'endingAt'])
    .where('organizationId', '=', organizationId)
    .where('finishedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst()

/**
 * Begins a review of everybody who has a service in the organisation.
 *
 * @returns how many rows it has; 0: nobody has a service, and there is no review; undefined: one is open
 */
export async function openReview(db: Db, organizationId: string, now: Date): Promise<number | undefined> {
  const reviewId = newId()
  const opened = await db
    .insertInto('accessReviews')
    .values({ reviewId, organizationId, openedAt: now, toldAt: now })
    .onConflict((open) => open.column('organizationId').where('finishedAt', 'is', null).doNothing())
    .returning('reviewId')
    .executeTakeFirst()
  if (!opened) return undefined
  const { rows } = await sql`
    insert into access_review_rows
      (row_id, review_id, account_id, service_id, first_name, last_name, email, user_role, service_roles, last_used)
    select gen_random_uuid(), ${reviewId}, a.account_id, a.service_id, u.first_name, u.last_name, u.email, a.user_role,
      ${serviceRolesOf(null)}, a.last_used
    from service_assignments a join users u using (account_id)
    where a.organization_id = ${organizationId} returning 1`.execute(db)
  if (rows.length === 0) await db.deleteFrom('accessReviews').where('reviewId', '=', reviewId).execute()
  return rows.length
}

/** Closes the decisions. */
export const storeEnding = (db: Db, reviewId: string, { by, now }: { by: string; now: Date }) =>
  db.updateTable('accessReviews').set({ endingAt: now, finishedBy: by }).where('reviewId', '=', reviewId).execute()

export const storeFinish = (db: Db, reviewId: string, now: Date) =>
  db.updateTable('accessReviews').set({ finishedAt: now }).where('reviewId', '=', reviewId).execute()

const monthsBefore = (now: Date, months: number): RawBuilder<Date> =>
  sql<Date>`(${now}::timestamptz - make_interval(months => ${months}))`

/** Organisations whose last review ended, or which were made, so many months ago, where someone has a service. */
export async function listDue(db: Db, now: Date, months: number) {
  const { rows } = await sql<{ organizationId: string; name: string }>`
    select organization_id as "organizationId", name from organizations o
    where coalesce((select max(coalesce(finished_at, 'infinity')) from access_reviews v
        where v.organization_id = o.organization_id), created_at) <= ${monthsBefore(now, months)}
      and exists (select from service_assignments a where a.organization_id = o.organization_id)
    order by organization_id`.execute(db)
  return rows
}

/** Claims the open reviews whose reviewers were last notified before that time, so that one node sends the reminders. */
export async function takeReminders(db: Db, { before, now }: { before: Date; now: Date }) {
  const { rows } = await sql<{ organizationId: string; name: string }>`
    update access_reviews v set told_at = ${now} from organizations o
    where o.organization_id = v.organization_id and v.finished_at is null and v.told_at <= ${before}
    returning o.organization_id as "organizationId", o.name`.execute(db)
  return rows
}

/** Notes that the reviewers were mailed. */
export const noteReminder = (db: Db, reviewId: string, now: Date) =>
  db.updateTable('accessReviews').set({ toldAt: now }).where('reviewId', '=', reviewId).execute()

export const findOrganization = (db: Db, organizationId: string) =>
  db
    .selectFrom('organizations')
    .select(['name', 'createdAt'])
    .where('organizationId', '=', organizationId)
    .executeTakeFirst()

// Rows of open reviews `v` that somebody still has to decide.
const undecided = sql`access_review_rows r join service_assignments a on a.account_id = r.account_id
  and a.service_id = r.service_id and a.organization_id = v.organization_id
  where r.review_id = v.review_id and r.decision is null`

/** How many rows of the organisation's open review wait for a decision. */
export async function countUndecided(db: Db, organizationId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from access_reviews v cross join lateral (select from ${undecided}) waiting
    where v.finished_at is null and v.organization_id = ${organizationId}::uuid`.execute(db)
  return rows[0]?.count ?? 0
}

const openBefore = (time: Date | undefined) => sql`finished_at is null ${time ? sql`and opened_at < ${time}` : sql``}`

/** How many reviews are open, or those that began before that time. */
export async function countOpen(db: Db, openedBefore?: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from access_reviews where ${openBefore(openedBefore)}`.execute(db)
  return rows[0]?.count ?? 0
}

type Open = Omit<OpenReview, 'openedAt' | 'dueAt' | 'overdue' | 'remindedAt'> & { openedAt: Date; toldAt: Date | null }

/** Open reviews, the oldest first, and how many there are. */
export async function listOpen(
  db: Db,
  { openedBefore, offset, limit }: { openedBefore: Date | undefined; offset: number; limit: number },
) {
  const { rows } = await sql<Open & { count: number }>`
    select o.organization_id as "organizationId", o.name as "organizationName", v.opened_at as "openedAt",
      v.told_at as "toldAt", progress.total, progress.total - progress.undecided as done, v.count
    from (
      select *, count(*) over () as count from access_reviews
      where ${openBefore(openedBefore)}
      order by opened_at, review_id offset ${offset} limit ${limit}
    ) v join organizations o using (organization_id)
    cross join lateral (
      select (select count(*) from access_review_rows r where r.review_id = v.review_id) as total,
        (select count(*) from ${undecided}) as undecided
    ) progress
    order by v.opened_at, v.review_id`.execute(db)
  const items = rows.map(({ count: _, ...one }) => one)
  // A page past the end has no row that says how many there are.
  return { items, totalCount: rows[0]?.count ?? (offset > 0 ? await countOpen(db, openedBefore) : 0) }
}
