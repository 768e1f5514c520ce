import { type accessReviews, reviewDueDays, reviewedPerPage } from '#contract/access-reviews/access-reviews.ts'
import type { ReviewPerson, ServiceReviewer } from '#contract/access-reviews/review-answers.ts'
import type { Actor } from '#contract/actor.ts'
import type { AnswerOf } from '#contract/route.ts'
import type { Db } from '#server/platform/database/database.ts'
import { toOffsetAndLimit } from '#server/platform/database/paging.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { found, Problem } from '#server/platform/problem.ts'
import { findOrganization, findReview, listOpen, type StoredReview } from './access-reviews.repository.ts'
import { decidesWhole, partOf, readsWhole } from './review-part.ts'
import { listPeople, listServices, type StoredRow } from './review-rows.repository.ts'
import * as reviewers from './reviewers.repository.ts'

const day = 24 * 3_600_000
const dueAt = (openedAt: Date) => new Date(openedAt.getTime() + reviewDueDays * day)
/** Reviews that began before this time are overdue. */
export const overdueBefore = (now: Date) => new Date(now.getTime() - reviewDueDays * day)

/** The people of a review, as far as the actor takes part in it. */
export async function readReview({
  db,
  params,
  query,
  config,
  actor,
}: RequestContext<typeof accessReviews.list>): Promise<AnswerOf<typeof accessReviews.list>> {
  const organization = found(await findOrganization(db, params.id))
  const whole = decidesWhole(actor, params.id)
  const seesAll = readsWhole(actor, params.id)
  const review = await findReview(db, params.id)
  const about = { organizationName: organization.name, whole, itemsPerPage: reviewedPerPage }
  const nextAt = nextReview(review, organization.createdAt, config.accessReviewMonths)
  if (!review) {
    if (!seesAll) throw new Problem(404, 'notFound')
    return {
      ...about,
      decides: whole,
      totalCount: 0,
      matching: 0,
      items: [],
      review: null,
      services: [],
      reviewers: [],
      nextAt,
    }
  }
  const part = await partOf(db, actor, review, { reads: true })
  const { page, all, ...filters } = query
  const slice = all ? { offset: 0, limit: null } : toOffsetAndLimit({ page }, reviewedPerPage)
  const { people, matching, rows } = await listPeople(db, part, filters, slice)
  const services = await listServices(db, part)
  return {
    ...about,
    decides: whole || (await reviewers.listAskedServices(db, review.reviewId, actor.accountId)).length > 0,
    totalCount: people,
    matching,
    items: byPerson(rows),
    review: describe(review, services),
    services: services.map(({ kept: _, takenBack: __, ...service }) => service),
    reviewers: seesAll ? (await reviewers.listReviewers(db, review.reviewId)).map(asked) : [],
    nextAt: seesAll ? nextAt : null,
    ...(all && { itemsPerPage: Math.max(people, 1) }),
  }
}

const asked = ({ askedAt, ...one }: Awaited<ReturnType<typeof reviewers.listReviewers>>[number]): ServiceReviewer => ({
  ...one,
  askedAt: askedAt.toISOString(),
})

function describe(
  { openedAt, endingAt, finishedAt, finishedBy }: StoredReview,
  services: Awaited<ReturnType<typeof listServices>>,
) {
  const sum = (of: 'total' | 'done' | 'kept' | 'takenBack') => services.reduce((rows, one) => rows + one[of], 0)
  return {
    openedAt: openedAt.toISOString(),
    dueAt: dueAt(openedAt).toISOString(),
    endingAt: endingAt?.toISOString() ?? null,
    finishedAt: finishedAt?.toISOString() ?? null,
    finishedBy: finishedAt && finishedBy,
    total: sum('total'),
    done: sum('done'),
    kept: sum('kept'),
    takenBack: sum('takenBack'),
  }
}

/** Rows of one person follow each other. */
function byPerson(rows: readonly StoredRow[]): ReviewPerson[] {
  const people = new Map<string, ReviewPerson>()
  for (const {
    accountId,
    name,
    email,
    userRole,
    guest,
    serviceRole,
    lastUsed,
    decidedAt: _,
    endedAt: __,
    ...row
  } of rows) {
    const person = people.get(accountId) ?? { accountId, name, email, userRole, guest, rows: [] }
    people.set(accountId, person)
    person.rows.push({ ...row, userRole: serviceRole, lastUsed: lastUsed?.toISOString() ?? null })
  }
  return [...people.values()]
}

function nextReview(review: StoredReview | undefined, createdAt: Date, months: number): string | null {
  if (months === 0 || (review && !review.finishedAt)) return null
  const from = new Date(review?.finishedAt ?? createdAt)
  from.setUTCMonth(from.getUTCMonth() + months)
  return from.toISOString()
}

/** The open reviews of all organisations, or those that are overdue. */
export async function listOpenReviews({
  db,
  query,
  config,
  now,
}: RequestContext<typeof accessReviews.open>): Promise<AnswerOf<typeof accessReviews.open>> {
  const openedBefore = query.overdue ? overdueBefore(now) : undefined
  const { items, totalCount } = await listOpen(db, { openedBefore, ...toOffsetAndLimit(query, config.itemsPerPage) })
  return {
    itemsPerPage: config.itemsPerPage,
    totalCount,
    items: items.map(({ openedAt, toldAt, ...one }) => ({
      ...one,
      openedAt: openedAt.toISOString(),
      dueAt: dueAt(openedAt).toISOString(),
      overdue: openedAt < overdueBefore(now),
      remindedAt: toldAt?.toISOString() ?? null,
    })),
  }
}

/** What somebody is asked to review, in the organisations that the session reaches. */
export const listAsked = (db: Db, { accountId, organizations }: Actor) =>
  reviewers.listAsked(
    db,
    accountId,
    organizations.map(({ organizationId }) => organizationId),
  )
