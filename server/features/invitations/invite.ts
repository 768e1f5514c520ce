import { actsForOperator } from '#contract/actor.ts'
import type { invitations } from '#contract/invitations/invitations.ts'
import { neededToGive } from '#contract/organization-roles/role-permissions.ts'
import type { Language } from '#contract/roles.ts'
import { refuseMoreThanOwn } from '#server/accounts/own-permissions.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { detectLanguage } from '#server/platform/http/request-language.ts'
import type { LimitKey } from '#server/platform/limits/limits.ts'
import { withAttemptLimit } from '#server/platform/limits/with-attempt-limit.ts'
import { found, Problem } from '#server/platform/problem.ts'
import { findOrganization, type InvitationKey } from './invitations.repository.ts'
import { invitePeople } from './invite-people.ts'
import { findExistingAddresses } from './plan-import.repository.ts'

/**
 * The inviter, with the name and language for mails. A mail does not name who of the operator invites.
 *
 * @param chosen the language that the inviter chose for the mail
 */
export const inviterOf = (
  { actor, session, http }: Pick<RequestContext<typeof invitations.invite>, 'actor' | 'session' | 'http'>,
  organizationId: string,
  chosen: Language | null,
) => {
  const { accountId, firstName, lastName, email, preferredLanguage } = session.user
  const name = [firstName, lastName].filter(Boolean).join(' ') || email
  return {
    inviter: { accountId, name: actsForOperator(actor, organizationId) ? null : name },
    language: chosen ?? preferredLanguage ?? detectLanguage(http.request),
  }
}

/** The limits for invitation mails of an organisation to an address. Withdrawing an invitation does not refund them. */
export const mailLimits = ({ email, organizationId }: InvitationKey): LimitKey[] => [
  { name: 'invitationResend', key: `${organizationId} ${email}` },
]

/** Invites one person. The response does not reveal whether the address has an account. */
export async function inviteUser(context: RequestContext<typeof invitations.invite>) {
  const { db, input, now, actor, limits } = context
  const { email, organizationId, userRole, message, guest, language: chosen } = input
  const organization = found(await findOrganization(db, organizationId))
  context.requireFreshProof(userRole === 'organizationAdmin')
  const counted = [
    { name: 'invitation', key: actor.accountId },
    { name: 'invitationOfOrganization', key: organizationId },
  ] as const
  await limits.take(db, counted, now)
  const isPresent = (await findExistingAddresses(db, organizationId, [email])).has(email)
  if (isPresent) throw new Problem(409, 'organizationAlreadyAdded')
  await withAttemptLimit(context, mailLimits(input), () =>
    context.transact(async (trx, audit) => {
      const person = { email, firstName: null, lastName: null, userRole, services: [] }
      await refuseMoreThanOwn(trx, actor, { organizationId, permissions: neededToGive([person]) })
      const invitation = { organization, message, guest, chosen, now, ...inviterOf(context, organizationId, chosen) }
      const invited = await invitePeople(context, trx, audit, [person], invitation)
      if (!invited.has(email)) throw new Problem(409, 'organizationAlreadyAdded')
    }),
  )
  return { email, organizationId }
}
