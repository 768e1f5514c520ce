import type { invitations } from '#contract/invitations.ts'
import { found } from '#server/platform/problem.ts'
import type { RequestContext } from '#server/platform/request-context.ts'
import { forgetSsn } from './accept-invitation.repository.ts'
import { findOrganization, findPendingMember } from './invitations.repository.ts'
import { inviterOf } from './invite.ts'
import { sendInvitations } from './send-invitations.ts'

/** A new link for somebody who is still pending; the old one is dead from this moment. */
export async function resendInvitation(context: RequestContext<typeof invitations.resend>) {
  const { db, input, now, limits } = context
  const { email, organizationId } = input
  const organization = found(await findOrganization(db, organizationId))
  found(await findPendingMember(db, input))
  await limits.take(db, [{ name: 'invitationResend', key: `${organizationId} ${email}` }], now)
  await context.transact(async (trx, audit) => {
    const { invitationId: _, message, acceptedAt, ...person } = found(await findPendingMember(trx, input))
    // It was accepted, but no sign-in ever matched: the number was wrong, and the next one may be another.
    if (acceptedAt) await forgetSsn(trx, person.accountId)
    const { expiresAt } = await sendInvitations(context, trx, [person], {
      organization,
      message,
      now,
      ...inviterOf(context),
    })
    audit({
      name: 'inviteUser',
      target: { id: person.accountId, label: email },
      organizationIds: [organizationId],
      after: { organization: organization.name, expiresAt },
    })
  })
  return undefined
}
