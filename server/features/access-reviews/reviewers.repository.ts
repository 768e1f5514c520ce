import { sql } from 'kysely'
import type { AskedReview, ServiceReviewer } from '#contract/access-reviews/review-answers.ts'
import type { Language } from '#contract/roles.ts'
import { currentMemberships } from '#server/platform/database/current-access.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Part } from './review-rows.repository.ts'

/** Who can be mailed. */
export interface Reviewer {
  accountId: string
  email: string
  firstName: string | null
  preferredLanguage: Language | null
}

/** A member who can sign in. */
export const findReviewer = (db: Db, organizationId: string, accountId: string): Promise<Reviewer | undefined> =>
  db
    .selectFrom(currentMemberships)
    .innerJoin('users as u', 'u.accountId', 'm.accountId')
    .select(['u.accountId', 'u.email', 'u.firstName', 'u.preferredLanguage'])
    .where('m.organizationId', '=', organizationId)
    .where('m.accountId', '=', accountId)
    .where('u.passiveAt', 'is', null)
    .where('u.pending', '=', false)
    .executeTakeFirst()

// Who is responsible for a service takes part without being asked.
const takePart = sql`(
  select review_id, organization_id, service_id, account_id from access_review_reviewers
  union select v.review_id, v.organization_id, o.scope_id, o.account_id
  from grants o join access_reviews v using (organization_id)
  where o.role = 'serviceOwner' and v.finished_at is null
    and exists (select from access_review_rows r where r.review_id = v.review_id and r.service_id = o.scope_id
      and r.account_id <> o.account_id))`

/** The services of a review about which a member decides. */
export async function listAskedServices(db: Db, reviewId: string, accountId: string): Promise<string[]> {
  const { rows } = await sql<{ serviceId: string }>`select service_id as "serviceId" from ${takePart} as q
    where review_id = ${reviewId} and account_id = ${accountId}`.execute(db)
  return rows.map(({ serviceId }) => serviceId)
}

/** Who is asked for which service, by service and name. */
export async function listReviewers(db: Db, reviewId: string) {
  const { rows } = await sql<Omit<ServiceReviewer, 'askedAt'> & { askedAt: Date }>`
    select account_id as "accountId", nullif(concat_ws(' ', u.first_name, u.last_name), '') as name, u.email,
      service_id as "serviceId", q.asked_at as "askedAt"
    from access_review_reviewers q join users u using (account_id) join services s using (service_id)
    where review_id = ${reviewId} order by s.name collate "sv-x-icu", u.email, service_id`.execute(db)
  return rows
}

/** The members who are asked for a service of which something is undecided, each with the names of these services. */
export async function listWaitingReviewers(db: Db, reviewId: string) {
  const { rows } = await sql<Reviewer & { services: string[] }>`
    select u.account_id as "accountId", u.email, u.first_name as "firstName", u.preferred_language as "preferredLanguage",
      array_agg(s.name order by s.name) as services
    from ${takePart} as q join users u using (account_id) join services s using (service_id)
      join current_memberships m using (account_id, organization_id)
    where review_id = ${reviewId} and u.passive_at is null and exists (
      select from access_review_rows r join service_assignments a on a.account_id = r.account_id
        and a.service_id = r.service_id and a.organization_id = q.organization_id
      where r.review_id = q.review_id and r.service_id = q.service_id and r.account_id <> q.account_id
        and r.decision is null)
    group by u.account_id order by u.account_id`.execute(db)
  return rows
}

/** @returns false where the member was asked already, or the organisation does not have the service */
export async function addReviewer(
  db: Db,
  review: { reviewId: string; organizationId: string },
  { serviceId, accountId, now }: { serviceId: string; accountId: string; now: Date },
): Promise<boolean> {
  const { rows } = await sql`
    insert into access_review_reviewers (review_id, organization_id, service_id, account_id, asked_at)
    values (${review.reviewId}, ${review.organizationId}, ${serviceId}, ${accountId}, ${now})
    on conflict do nothing returning 1`.execute(db)
  return rows.length > 0
}

/** @returns the address of the member; undefined where nobody was asked */
export const removeReviewer = (
  db: Db,
  reviewId: string,
  { serviceId, accountId }: { serviceId: string; accountId: string },
): Promise<{ email: string } | undefined> =>
  db
    .deleteFrom('accessReviewReviewers as q')
    .using('users as u')
    .whereRef('u.accountId', '=', 'q.accountId')
    .where('q.reviewId', '=', reviewId)
    .where('q.serviceId', '=', serviceId)
    .where('q.accountId', '=', accountId)
    .returning('u.email')
    .executeTakeFirst()

/** The service of a review that the organisation still has. */
export async function findReviewedService(
  db: Db,
  { reviewId, organizationId }: { reviewId: string; organizationId: string },
  serviceId: string,
): Promise<{ name: string } | undefined> {
  const { rows } = await sql<{ name: string }>`
    select name from services s
    where service_id = ${serviceId}
      and exists (select from organization_services o where o.organization_id = ${organizationId} and o.service_id = s.service_id)
      and exists (select from access_review_rows r where r.review_id = ${reviewId} and r.service_id = s.service_id)`.execute(
    db,
  )
  return rows[0]
}

/** What an account is asked to review in these organisations. */
export async function listAsked(db: Db, accountId: string, organizationIds: readonly string[]) {
  const { rows } = await sql<AskedReview>`
    select o.organization_id as "organizationId", o.name as "organizationName",
      array_agg(s.name order by s.name) as services, sum(waiting.count)::integer as undecided
    from ${takePart} as q join access_reviews v using (review_id, organization_id)
      join organizations o using (organization_id) join services s using (service_id)
      cross join lateral (
        select count(*) as count from access_review_rows r join service_assignments a on a.account_id = r.account_id
          and a.service_id = r.service_id and a.organization_id = v.organization_id
        where r.review_id = v.review_id and r.service_id = q.service_id and r.account_id <> q.account_id
          and r.decision is null) waiting
    where q.account_id = ${accountId} and v.ending_at is null and v.finished_at is null
      and o.organization_id = any (${organizationIds as string[]}::uuid[])
    group by o.organization_id, o.name order by o.name, o.organization_id`.execute(db)
  return rows
}

/** Whether one of the rows is of somebody who has the service by a group: taking it back takes them out, and ends all that it gives. */
export async function comeByGroup(
  db: Db,
  { reviewId, organizationId, serviceIds = [] }: Part,
  rowIds: readonly string[],
): Promise<boolean> {
  const { rows } = await sql`
    select from access_review_rows r join group_grants g using (account_id, service_id)
    where r.review_id = ${reviewId} and r.row_id = any (${rowIds as string[]}::uuid[])
      and service_id = any (${serviceIds as string[]}::uuid[]) and g.organization_id = ${organizationId}
    limit 1`.execute(db)
  return rows.length > 0
}
