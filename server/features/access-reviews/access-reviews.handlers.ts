import { accessReviews } from '#contract/access-reviews/access-reviews.ts'
import { readAtHome } from '#contract/actor.ts'
import { fallbackLanguage } from '#contract/languages.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { translate } from '#server/platform/messages/texts.ts'
import { found, Problem } from '#server/platform/problem.ts'
import { type CreateCallGroups, callGroup } from '#server/room.ts'
import { findOrganization, findReview, openReview } from './access-reviews.repository.ts'
import { finishReview } from './finish-review.ts'
import { listAsked, listOpenReviews, readReview } from './read-reviews.ts'
import { reportOf } from './report.ts'
import { deciderOf, lockReview, partOf } from './review-part.ts'
import { listToEnd, storeDecision } from './review-rows.repository.ts'
import { comeByGroup } from './reviewers.repository.ts'
import { askReviewer, dismissReviewer, remindReviewers } from './reviewers.ts'
import { countRows, takeBack } from './take-back.ts'

export const accessReviewsHandlers: Handlers<typeof accessReviews> = {
  open: listOpenReviews,
  asked: ({ db, actor }) => listAsked(db, actor),
  list: readReview,
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
    const { db, params, input, actor, audit, now } = context
    const { name } = found(await findOrganization(db, params.id))
    const { rowIds, from, decision } = input
    const part = await partOf(db, actor, await lockReview(db, actor, params.id))
    // It would end what else the group gives, about which the others decide.
    if (part.serviceIds && decision === 'takeBack' && (await comeByGroup(db, part, rowIds)))
      throw new Problem(409, 'serviceComesByGroup')
    const changed = await storeDecision(db, part, rowIds, { from, decision, by: deciderOf(context, params.id), now })
    audit({
      name: 'decideAccessReview',
      target: { id: params.id, label: name },
      after: { decision: decision ?? 'undecided', rows: changed },
      organizationIds: [params.id],
    })
    return { changed }
  },
  takeBackAtOnce: async (context) => {
    const { db, params, input, actor, audit, now } = context
    const { name } = found(await findOrganization(db, params.id))
    const part = await partOf(db, actor, await lockReview(db, actor, params.id))
    const people = await listToEnd(db, part, input)
    // First, because the events of what it takes back follow it.
    audit({
      name: 'decideAccessReview',
      target: { id: params.id, label: name },
      after: { decision: 'takeBackAtOnce', rows: countRows(people) },
      organizationIds: [params.id],
    })
    await takeBack(context, part, people, { by: deciderOf(context, params.id), now })
    return undefined
  },
  finish: finishReview,
  remind: remindReviewers,
  ask: askReviewer,
  dismiss: dismissReviewer,
  report: async (context) => {
    const { db, params, session, now, transact, actor } = context
    const { name } = found(await findOrganization(db, params.id))
    const review = found(await findReview(db, params.id))
    await transact(async (_, audit) =>
      audit({
        name: 'exportAccessReview',
        target: { id: params.id, label: name },
        organizationIds: readAtHome(actor, 'readReviews', params.id),
      }),
    )
    const language = session.user.preferredLanguage ?? fallbackLanguage
    const title = `${translate(language, 'accessReview')} ${name} ${now.toISOString().slice(0, 10)}.csv`
    return { fileName: title.replaceAll(/[\p{Cc}<>:"/\\|?*]/gu, '-'), lines: reportOf(db, review, language) }
  },
}

export const createCallGroups: CreateCallGroups = () => [callGroup(accessReviews, accessReviewsHandlers)]
