import type { accessRequests } from '#contract/access-requests/access-requests.ts'
import { fallbackLanguage } from '#contract/languages.ts'
import { mailMessage } from '#server/mails/mails.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { withAttemptLimit } from '#server/platform/limits/with-attempt-limit.ts'
import { found, Problem } from '#server/platform/problem.ts'
import { findWanted, listAnswerers, lockPerson, openRequest } from './access-requests.repository.ts'

/**
 * Requests a service of an own organisation, and mails those who may hand it out.
 *
 * @throws Problem 404 where the organisation lacks it or it cannot be requested, 409 where the person has it or has asked
 */
export async function requestAccess(context: RequestContext<typeof accessRequests.create>): Promise<undefined> {
  const { actor, input, now, session } = context
  const wanted = { accountId: actor.accountId, ...input }
  await withAttemptLimit(context, [{ name: 'accessRequest', key: actor.accountId }], () =>
    context.transact(async (db, audit) => {
      // Nobody can hand the service out meanwhile, which would leave a request for what the person has.
      await lockPerson(db, actor.accountId)
      const service = found(await findWanted(db, wanted))
      if (service.assigned) throw new Problem(409, 'serviceAlreadyAdded')
      if (!service.requestable) throw new Problem(404, 'notFound')
      if (!(await openRequest(db, wanted, now))) throw new Problem(409, 'accessAlreadyRequested')
      const { organizationName, serviceName } = service
      const { firstName, lastName, email } = session.user
      const name = [firstName, lastName].filter(Boolean).join(' ') || email
      for (const admin of await listAnswerers(db, wanted))
        await context.outbox.mail(
          db,
          mailMessage({
            template: 'access-requested',
            to: { address: admin.email, accountId: admin.accountId },
            language: admin.preferredLanguage ?? fallbackLanguage,
            values: { firstName: admin.firstName, name, email, organizationName, serviceName },
          }),
        )
      audit({
        name: 'requestServiceAccess',
        target: { id: actor.accountId, label: email },
        after: { organization: organizationName, service: serviceName },
        organizationIds: [input.organizationId],
      })
    }),
  )
  return undefined
}
