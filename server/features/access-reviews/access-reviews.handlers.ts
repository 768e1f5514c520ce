import { accessReviews } from '#contract/access-reviews/access-reviews.ts'
import { actsForOperator } from '#contract/actor.ts'
import { fallbackLanguage } from '#contract/languages.ts'
import { withdrawService } from '#server/features/users/users.ts'
import { csvLine, csvStart } from '#server/platform/csv.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Handlers, RequestContext } from '#server/platform/http/request-context.ts'
import { translate } from '#server/platform/messages/texts.ts'
import { found, Problem } from '#server/platform/problem.ts'
import { type CreateCallGroups, callGroup } from '#server/room.ts'
import {
  findOrganization,
  findReview,
  finishReview,
  listRows,
  listUndecided,
  lockOpenReview,
  openReview,
  type StoredReview,
  storeDecision,
} from './access-reviews.repository.ts'

export const accessReviewsHandlers: Handlers<typeof accessReviews> = {
  list: async ({ db, params, query, config }) => {
    const organization = found(await findOrganization(db, params.id))
    const review = await findReview(db, params.id)
    const all = query.all === 'true'
    const itemsPerPage = all ? Math.max(review?.total ?? 0, 1) : config.itemsPerPage
    const rows = review
      ? await listRows(db, review.reviewId, { offset: all ? 0 : (query.page - 1) * itemsPerPage, limit: itemsPerPage })
      : []
    return {
      itemsPerPage,
      totalCount: review?.total ?? 0,
      items: rows.map(({ lastUsed, decidedAt: _, ...row }) => ({ ...row, lastUsed: lastUsed?.toISOString() ?? null })),
      review: review
        ? {
            openedAt: review.openedAt.toISOString(),
            finishedAt: review.finishedAt?.toISOString() ?? null,
            finishedBy: review.finishedBy,
            total: review.total,
            done: review.done,
          }
        : null,
      nextAt: nextReview(review, organization.createdAt, config.accessReviewMonths),
    }
  },
  start: async ({ db, params, audit, now }) => {
    const { name } = found(await findOrganization(db, params.id))
    const rows = await openReview(db, params.id, now)
    if (rows === undefined) throw new Problem(409, 'reviewOpen')
    if (rows === 0) throw new Problem(409, 'reviewEmpty')
    audit({
      name: 'startAccessReview',
      target: { id: params.id, label: name },
      after: { rows },
      organizationIds: [params.id],
    })
    return undefined
  },
  decide: async (context) => {
    const { db, params, input, audit, now } = context
    const { name } = found(await findOrganization(db, params.id))
    const reviewId = await openReviewOf(db, params.id)
    const { decision } = input
    const rows = await listUndecided(db, reviewId, input.rowIds)
    // First, because the events of what it takes back follow it.
    audit({
      name: 'decideAccessReview',
      target: { id: params.id, label: name },
      after: { decision, rows: rows.length },
      organizationIds: [params.id],
    })
    if (rows.length === 0) return undefined
    if (decision === 'takeBack')
      for (const { accountId, serviceId } of rows)
        await withdrawService(context, { accountId, serviceId, organizationId: params.id })
    const ids = rows.map(({ rowId }) => rowId)
    await storeDecision(db, ids, { decision, by: deciderOf(context), now })
    return undefined
  },
  finish: async (context) => {
    const { db, params, audit, now } = context
    const { name } = found(await findOrganization(db, params.id))
    const reviewId = await openReviewOf(db, params.id)
    const { total, done } = found(await findReview(db, params.id))
    if (done < total) throw new Problem(409, 'reviewUndecided')
    await finishReview(db, reviewId, { by: deciderOf(context), now })
    audit({
      name: 'finishAccessReview',
      target: { id: params.id, label: name },
      after: { rows: total },
      organizationIds: [params.id],
    })
    return undefined
  },
  report: async (context) => {
    const { db, params, session, now, transact } = context
    const { name } = found(await findOrganization(db, params.id))
    const review = found(await findReview(db, params.id))
    await transact(async (_, audit) =>
      audit({ name: 'exportAccessReview', target: { id: params.id, label: name }, organizationIds: [params.id] }),
    )
    const language = session.user.preferredLanguage ?? fallbackLanguage
    const title = `${translate(language, 'accessReview')} ${name} ${now.toISOString().slice(0, 10)}.csv`
    return { fileName: title.replaceAll(/[\p{Cc}<>:"/\\|?*]/gu, '-'), lines: report(db, review, language) }
  },
}

/** Who decides, as the organisation's admins read it: not who of the operator it was. */
const deciderOf = ({
  actor,
  params,
  config,
  session,
}: Pick<RequestContext<typeof accessReviews.finish>, 'actor' | 'params' | 'config' | 'session'>) =>
  actsForOperator(actor, params.id) ? config.companyName : session.user.email

type Language = Parameters<typeof translate>[0]

async function* report(db: Db, { reviewId }: StoredReview, language: Language) {
  const t = (key: Parameters<typeof translate>[1]) => translate(language, key)
  const columns = [
    'person',
    'email',
    'service',
    'role',
    'lastUsed',
    'reviewDecision',
    'reviewDecidedBy',
    'reviewDecidedAt',
  ] as const
  yield csvStart + csvLine(columns.map(t))
  // Some hundred bytes each: a review of 10,000 rows takes a few MB.
  for (const row of await listRows(db, reviewId, { offset: 0, limit: null }))
    yield csvLine([
      row.name,
      row.email,
      row.serviceName,
      t(row.userRole === 'serviceAdmin' ? 'roleServiceAdmin' : 'roleRegular'),
      row.lastUsed?.toISOString() ?? t('lastUsedUnknown'),
      row.decision
        ? t(row.decision === 'keep' ? 'reviewKept' : 'reviewTakenBack')
        : t(row.present ? 'reviewOpenRow' : 'reviewGone'),
      row.decidedBy,
      row.decidedAt?.toISOString() ?? null,
    ])
}

/** @throws Problem 409 `reviewNotOpen` */
async function openReviewOf(db: Db, organizationId: string): Promise<string> {
  const reviewId = await lockOpenReview(db, organizationId)
  if (reviewId === undefined) throw new Problem(409, 'reviewNotOpen')
  return reviewId
}

function nextReview(review: StoredReview | undefined, createdAt: Date, months: number): string | null {
  if (months === 0 || (review && !review.finishedAt)) return null
  const from = new Date(review?.finishedAt ?? createdAt)
  from.setUTCMonth(from.getUTCMonth() + months)
  return from.toISOString()
}

export const createCallGroups: CreateCallGroups = () => [callGroup(accessReviews, accessReviewsHandlers)]
