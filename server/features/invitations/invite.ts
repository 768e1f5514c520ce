import type { invitations } from '#contract/invitations.ts'
import { found, Problem } from '#server/platform/problem.ts'
import type { RequestContext } from '#server/platform/request-context.ts'
import { requestLanguage } from '#server/platform/request-language.ts'
import { addPeople } from './add-people.ts'
import { findOrganization } from './invitations.repository.ts'

/** Who invites, as a mail names that person, and in which language. */
export const inviterOf = ({ session, http }: Pick<RequestContext<typeof invitations.invite>, 'session' | 'http'>) => {
  const { accountId, firstName, lastName, email, preferredLanguage } = session.user
  return {
    inviter: { accountId, name: [firstName, lastName].filter(Boolean).join(' ') || email },
    language: preferredLanguage ?? requestLanguage(http.request),
  }
}

/** Invites one person. The answer does not tell whether there was an account; a colleague is visible anyway. */
export async function invite(context: RequestContext<typeof invitations.invite>) {
  const { db, input, now, actor, limits } = context
  const { email, organizationId, message } = input
  const organization = found(await findOrganization(db, organizationId))
  await limits.take(db, [{ name: 'invitation', key: actor.accountId }], now)
  await context.transact(async (trx, audit) => {
    const person = { email, firstName: null, lastName: null, userRole: 'regular', services: [] } as const
    const addition = { organization, message, now, ...inviterOf(context) }
    const joined = await addPeople(context, trx, audit, [person], addition)
    const outcome = joined.get(email)
    if (outcome === 'alreadyMember') throw new Problem(409, 'organizationAlreadyAdded')
    // The account was erased at this very moment.
    if (!outcome) throw new Problem(409, 'conflict')
  })
  return { email, organizationId }
}
