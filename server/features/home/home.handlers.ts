import { type HomeAnswer, home } from '#contract/home/home.ts'
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
    countInvitations(db, scope, now),
    countAccessRequests(db, scope),
    countEndingAccess(db, scope),
    wholePortal ? 0 : countUndecided(db, scope),
    wholePortal ? countOverdueReviews(db, now) : 0,
    // It follows from when they were last active.
    wholePortal || can(actor, 'manageUsers') || can(actor, 'readDetails', { organizationId: scope })
      ? countComing(db, { now, days: passivePreviewDays, ...(wholePortal ? {} : { organizationId: scope }) })
      : 0,
    listNearlyFull(db, scope),
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
