import type { invitations } from '#contract/invitations/invitations.ts'
import { can } from '#contract/permissions.ts'
import { endAccount } from '#server/accounts/end-account.repository.ts'
import { refuseAbove } from '#server/accounts/own-permissions.ts'
import { lockUser } from '#server/accounts/stored-user.repository.ts'
import type { AuditEntry } from '#server/platform/audit/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { withAttemptLimit } from '#server/platform/limits/with-attempt-limit.ts'
import { found } from '#server/platform/problem.ts'
import { unsealSsn } from '#server/platform/secrets/ssn.ts'
import {
  findOrganization,
  type InvitationTerms,
  insertInvitations,
  renewInvitation,
  type SendableInvitation,
} from './invitations.repository.ts'
import { inviterOf, mailLimits } from './invite.ts'
import { findInvitationTo, findPendingMember, listAsInvitees, lockPendingMember } from './pending-members.repository.ts'
import { expiryOf, type Invitation, sendInvitations } from './send-invitations.ts'

type Context = RequestContext<typeof invitations.resend>
interface Resend extends Omit<Invitation, 'message'> {
  organization: NonNullable<Invitation['organization']>
}

/** Sends a new link to a person who has not signed in yet. The old link stops working. */
export async function resendInvitation(context: Context) {
  const { db, input, now } = context
  const organization = found(await findOrganization(db, input.organizationId))
  const waiting = await findInvitationTo(db, input)
  found(waiting ?? (await findPendingMember(db, input)))
  const again = { organization, now, ...inviterOf(context, organization.organizationId, waiting?.language ?? null) }
  await withAttemptLimit(context, mailLimits(input), () =>
    context.transact((trx, audit) => resend(context, trx, audit, again)),
  )
  return undefined
}

async function resend(context: Context, db: Db, audit: (entry: AuditEntry) => void, again: Resend): Promise<void> {
  const { organization, inviter, now } = again
  const { organizationId, name } = organization
  const terms = { now, expiresAt: expiryOf(now), invitedBy: inviter?.accountId ?? null }
  const present = await findInvitationTo(db, context.input)
  const { invitation, ssn } = present
    ? { invitation: await renewInvitation(db, present.invitationId, terms), ssn: null }
    : found(await revokeAcceptance(context, db, terms))
  await sendInvitations(context, db, [invitation], { ...again, message: present?.message ?? null })
  audit({
    name: 'inviteUser',
    target: { id: invitation.invitationId, label: invitation.email },
    organizationIds: [organizationId],
    before: { ssn },
    after: { ssn: null, organization: name, expiresAt: terms.expiresAt },
  })
}

/**
 * Reverts an acceptance that was never followed by a matching sign-in: the personal number may be wrong, and its real
 * owner must not get in. The account was never used, so it is deleted and only the invitation stays.
 *
 * @throws Problem 403 `moreThanOwn` for an account with more rights
 */
async function revokeAcceptance(
  { actor, input, keys }: Context,
  db: Db,
  terms: Pick<InvitationTerms, 'now' | 'expiresAt' | 'invitedBy'>,
) {
  const member = await lockPendingMember(db, input)
  if (!member) return undefined
  const { accountId, ssnSealed } = member
  const user = found(await lockUser(db, accountId))
  for (const one of user.organizations) if (can(actor, 'readPeople', one)) refuseAbove(actor, user, one.organizationId)
  const ssn = ssnSealed && (await unsealSsn(keys, accountId, ssnSealed))
  const places = await listAsInvitees(db, accountId)
  await endAccount(db, accountId)
  const invitations = new Map<string, SendableInvitation | undefined>()
  for (const place of places) {
    const { organizationId } = place
    const [added] = await insertInvitations(db, [place], {
      ...{ ...terms, organizationId, message: null },
      // They were promised to the account.
      promisedBy: null,
    })
    invitations.set(organizationId, added)
  }
  const invitation = invitations.get(input.organizationId)
  // The event is this organisation's alone; what concerns another one too stays out of it.
  return invitation && { invitation, ssn: places.length === 1 ? ssn : null }
}
