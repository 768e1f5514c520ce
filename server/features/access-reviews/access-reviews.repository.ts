import { type RawBuilder, sql } from 'kysely'
import type { ReviewDecision, ReviewRow } from '#contract/access-reviews/access-reviews.ts'
import type { Db } from '#server/platform/database/database.ts'
import { newId } from '#server/platform/ids.ts'

/** A review with its progress. */
export interface StoredReview {
  reviewId: string
  openedAt: Date
  finishedAt: Date | null
  finishedBy: string | null
  total: number
  done: number
}

// Whether the person of row `r` still has the service.
const isPresent = sql<boolean>`exists (
  select from service_assignments a join access_reviews w on w.review_id = r.review_id
  where a.account_id = r.account_id and a.service_id = r.service_id and a.organization_id = w.organization_id)`

/** The open review of an organisation, or the last one. */
export async function findReview(db: Db, organizationId: string): Promise<StoredReview | undefined> {
  const { rows } = await sql<StoredReview>`
    select review_id as "reviewId", opened_at as "openedAt", finished_at as "finishedAt", finished_by as "finishedBy",
      (select count(*) from access_review_rows r where r.review_id = v.review_id) as total,
      (select count(*) from access_review_rows r
        where r.review_id = v.review_id and (decision is not null or not ${isPresent})) as done
    from access_reviews v where organization_id = ${organizationId} order by opened_at desc limit 1`.execute(db)
  return rows[0]
}

/** Locks the open review, so that concurrent decisions run one after the other. */
export async function lockOpenReview(db: Db, organizationId: string): Promise<string | undefined> {
  const open = await db
    .selectFrom('accessReviews')
    .select('reviewId')
    .where('organizationId', '=', organizationId)
    .where('finishedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return open?.reviewId
}

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
    insert into access_review_rows (row_id, review_id, account_id, service_id, user_role, last_used)
    select gen_random_uuid(), ${reviewId}, a.account_id, a.service_id, a.user_role, a.last_used
    from service_assignments a join users u using (account_id)
    where a.organization_id = ${organizationId} returning 1`.execute(db)
  if (rows.length === 0) await db.deleteFrom('accessReviews').where('reviewId', '=', reviewId).execute()
  return rows.length
}

type Stored = Omit<ReviewRow, 'lastUsed'> & { lastUsed: Date | null; decidedAt: Date | null }

/** Rows of a review, the undecided ones first, then by name. */
export async function listRows(
  db: Db,
  reviewId: string,
  { offset, limit }: { offset: number; limit: number | null },
): Promise<Stored[]> {
  const { rows } = await sql<Stored>`
    select r.row_id as "rowId", r.account_id as "accountId", nullif(concat_ws(' ', u.first_name, u.last_name), '') as name,
      u.email, r.service_id as "serviceId", s.name as "serviceName", r.user_role as "userRole", r.last_used as "lastUsed",
      r.decision, r.decided_at as "decidedAt", r.decided_by as "decidedBy", ${isPresent} as present
    from access_review_rows r join users u using (account_id) join services s using (service_id)
    where r.review_id = ${reviewId}
    order by r.decision is not null, u.last_name collate "sv-x-icu", u.first_name collate "sv-x-icu", u.email, s.name,
      r.row_id
    offset ${offset} limit ${limit}`.execute(db)
  return rows
}

/** The rows that can be decided, of those that are named. */
export async function listUndecided(db: Db, reviewId: string, rowIds: readonly string[]) {
  const { rows } = await sql<{ rowId: string; accountId: string; serviceId: string }>`
    select r.row_id as "rowId", r.account_id as "accountId", r.service_id as "serviceId" from access_review_rows r
    where r.review_id = ${reviewId} and r.row_id = any (${rowIds as string[]}::uuid[]) and r.decision is null
      and ${isPresent}
    order by r.account_id, r.service_id`.execute(db)
  return rows
}

export const storeDecision = (
  db: Db,
  rowIds: readonly string[],
  { decision, by, now }: { decision: ReviewDecision; by: string; now: Date },
) =>
  db
    .updateTable('accessReviewRows')
    .set({ decision, decidedBy: by, decidedAt: now })
    .where('rowId', 'in', rowIds)
    .execute()

export const finishReview = (db: Db, reviewId: string, { by, now }: { by: string; now: Date }) =>
  db.updateTable('accessReviews').set({ finishedAt: now, finishedBy: by }).where('reviewId', '=', reviewId).execute()

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

/** Claims the open reviews whose admins were last notified before that time, so that one node sends the reminders. */
export async function takeReminders(db: Db, { before, now }: { before: Date; now: Date }) {
  const { rows } = await sql<{ organizationId: string; name: string }>`
    update access_reviews v set told_at = ${now} from organizations o
    where o.organization_id = v.organization_id and v.finished_at is null and v.told_at <= ${before}
    returning o.organization_id as "organizationId", o.name`.execute(db)
  return rows
}

/** The admins of the organisation, who decide. */
export const listAdmins = (db: Db, organizationId: string) =>
  db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.accountId', 'm.accountId')
    .select(['u.accountId', 'u.email', 'u.firstName', 'u.preferredLanguage'])
    .where('m.organizationId', '=', organizationId)
    .where('m.userRole', '=', 'organizationAdmin')
    .where('u.passiveAt', 'is', null)
    .where('u.pending', '=', false)
    .orderBy('u.accountId')
    .execute()

export const findOrganization = (db: Db, organizationId: string) =>
  db
    .selectFrom('organizations')
    .select(['name', 'createdAt'])
    .where('organizationId', '=', organizationId)
    .executeTakeFirst()

/** How many rows of open reviews wait for a decision; of one organisation, or of all. */
export async function countUndecided(db: Db, organizationId: string | undefined): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from access_reviews v join access_review_rows r using (review_id)
      join service_assignments a on a.account_id = r.account_id and a.service_id = r.service_id
        and a.organization_id = v.organization_id
    where v.finished_at is null and r.decision is null
      ${organizationId === undefined ? sql`` : sql`and v.organization_id = ${organizationId}::uuid`}`.execute(db)
  return rows[0]?.count ?? 0
}
