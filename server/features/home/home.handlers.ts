import { type HomeAnswer, home, todoPermissions } from '#contract/home/home.ts'
import { passivePreviewDays } from '#contract/passive-users/passive-users.ts'
import { can } from '#contract/permissions.ts'
import { countOverdueReviews, countUndecided } from '#server/features/access-reviews/access-reviews.ts'
import { countComing } from '#server/features/passive-users/passive-users.ts'
import { listEndingCertificates, listToConfirm } from '#server/features/saml-configs/saml-configs.ts'
import { countHandedIn } from '#server/features/saml-setups/saml-setups.ts'
import { countFailedMessages } from '#server/features/system/system.ts'
import { brokenTexts } from '#server/mails/mails.ts'
import type { Handlers, RequestContext } from '#server/platform/http/request-context.ts'
import { found } from '#server/platform/problem.ts'
import { type CreateCallGroups, callGroup } from '#server/room.ts'
import { listDays, listSeats, readFiguresBefore, type Scope } from './figures.repository.ts'
import {
  countAccessRequests,
  countEndingAccess,
  countInvitations,
  findOrganization,
  listNearlyFull,
} from './todos.repository.ts'

type HomeContext = Pick<RequestContext<typeof home.ofPortal>, 'db' | 'now' | 'actor'>

const homeHandlers: Handlers<typeof home> = {
  ofPortal: (context) => readHome(context, undefined),
  async ofOrganization(context) {
    const { id: organizationId } = context.params
    found(await findOrganization(context.db, organizationId))
    return readHome(context, organizationId)
  },
}

async function readHome({ db, now, actor }: HomeContext, scope: Scope): Promise<HomeAnswer> {
  const wholePortal = scope === undefined
  /** Nobody is asked to do what they may not. */
  const asks = (todo: keyof typeof todoPermissions) =>
    wholePortal || can(actor, todoPermissions[todo], { organizationId: scope })
  const [
    days,
    before,
    seats,
    invitations,
    accessRequests,
    endingAccess,
    accessReviewRows,
    overdueAccessReviews,
    comingPassiveUsers,
    nearlyFull,
    endingCertificates,
    setupsToApprove,
    metadataToConfirm,
    failedMessages,
    brokenTemplates,
  ] = await Promise.all([
    listDays(db, scope, now),
    readFiguresBefore(db, scope, now),
    listSeats(db, scope),
    asks('failedInvitations') ? countInvitations(db, scope, now) : { failedInvitations: 0, waitingInvitations: 0 },
    asks('accessRequests') ? countAccessRequests(db, scope) : 0,
    asks('endingAccess') ? countEndingAccess(db, scope) : 0,
    wholePortal || !asks('accessReviewRows') ? 0 : countUndecided(db, scope),
    wholePortal ? countOverdueReviews(db, now) : 0,
    // It follows from when they were last active.
    asks('comingPassiveUsers') && (wholePortal || can(actor, 'readDetails', { organizationId: scope }))
      ? countComing(db, { now, days: passivePreviewDays, ...(wholePortal ? {} : { organizationId: scope }) })
      : 0,
    asks('nearlyFull') ? listNearlyFull(db, scope) : { nearlyFull: [], nearlyFullCount: 0 },
    wholePortal ? listEndingCertificates(db, now) : [],
    wholePortal ? countHandedIn(db) : 0,
    wholePortal ? listToConfirm(db).then(({ length }) => length) : 0,
    wholePortal ? countFailedMessages(db, now) : 0,
    wholePortal ? brokenTexts(db) : [],
  ])
  return {
    todos: {
      ...invitations,
      accessRequests,
      endingAccess,
      accessReviewRows,
      overdueAccessReviews,
      comingPassiveUsers,
      endingCertificates,
      setupsToApprove,
      metadataToConfirm,
      ...nearlyFull,
      failedMessages,
      brokenTemplates,
    },
    figures: { days, before, seats },
  }
}

export const createCallGroups: CreateCallGroups = () => [callGroup(home, homeHandlers)]
