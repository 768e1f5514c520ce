import { accessRequests } from '#contract/access-requests/access-requests.ts'
import { fallbackLanguage } from '#contract/languages.ts'
import { giveService } from '#server/features/users/users.ts'
import { mailMessage } from '#server/mails/mails.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Handlers, RequestContext } from '#server/platform/http/request-context.ts'
import { found } from '#server/platform/problem.ts'
import { type CreateCallGroups, callGroup } from '#server/room.ts'
import { findOpenRequest, listOpenRequests, lockPerson, refuseRequest } from './access-requests.repository.ts'
import { requestAccess } from './request-access.ts'

export const accessRequestsHandlers: Handlers<typeof accessRequests> = {
  create: requestAccess,
  list: async (context) => {
    context.require('answerAccessRequests')
    return listOpenRequests(context.db, context.actor, context.query, context.config.itemsPerPage)
  },
  grant: async (context) => {
    const request = await lockRequest(context, context.params.id)
    // The request is removed by a trigger, whichever way the service is handed out.
    await giveService(context, { ...request, userRole: 'regular', source: 'request' }, { name: 'grantServiceAccess' })
    await tellPerson(context, request, null)
    return undefined
  },
  refuse: async (context) => {
    const request = await lockRequest(context, context.params.id)
    const { organizationId, organizationName, serviceName, accountId, email } = request
    const { reason } = context.input
    await refuseRequest(context.db, request.requestId, reason)
    await tellPerson(context, request, reason)
    context.audit({
      name: 'refuseServiceAccess',
      target: { id: accountId, label: email },
      after: { organization: organizationName, service: serviceName, reason },
      organizationIds: [organizationId],
    })
    return undefined
  },
}

type OpenRequest = NonNullable<Awaited<ReturnType<typeof findOpenRequest>>>

/** Of two answers to the same request at once, the second finds nothing. The person is locked first, as everywhere. */
async function lockRequest(
  { db, allow }: { db: Db; allow: RequestContext['allow'] },
  requestId: string,
): Promise<OpenRequest> {
  const request = found(await findOpenRequest(db, requestId))
  allow('answerAccessRequests', request)
  found(await lockPerson(db, request.accountId))
  return found(await findOpenRequest(db, requestId))
}

const tellPerson = (
  { db, outbox }: Pick<RequestContext, 'db' | 'outbox'>,
  { accountId, email, firstName, preferredLanguage, organizationName, serviceName }: OpenRequest,
  refusedBecause: string | null,
) =>
  outbox.mail(
    db,
    mailMessage({
      template: 'access-answered',
      to: { address: email, accountId },
      language: preferredLanguage ?? fallbackLanguage,
      values: { firstName, organizationName, serviceName, refusedBecause },
    }),
  )

export const createCallGroups: CreateCallGroups = () => [callGroup(accessRequests, accessRequestsHandlers)]
