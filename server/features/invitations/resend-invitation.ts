import type { invitations } from '#contract/invitations.ts'
import type { AuditEntry } from '#server/platform/audit.ts'
import { countedFirst } from '#server/platform/counted-first.ts'
import type { Db } from '#server/platform/database.ts'
import type { LimitKey } from '#server/platform/limits.ts'
import { found } from '#server/platform/problem.ts'
import type { RequestContext } from '#server/platform/request-context.ts'
import { openSsn } from '#server/platform/ssn.ts'
import { forgetGivenSsn } from './accept-invitation.repository.ts'
import { findOrganization, findPendingMember, type InvitingOrganization } from './invitations.repository.ts'
import { inviterOf } from './invite.ts'
import { sendInvitations } from './send-invitations.ts'

type Context = RequestContext<typeof invitations.resend>

/** A new link for somebody who is still pending; the old one is dead from this moment. */
export async function resendInvitation(context: Context) {
  const { db, input } = context
  const { email, organizationId } = input
  const organization = found(await findOrganization(db, organizationId))
  found(await findPendingMember(db, input))
  const resends: LimitKey[] = [{ name: 'invitationResend', key: `${organizationId} ${email}` }]
  await countedFirst(context, resends, () =>
    context.transact((trx, audit) => resend(context, trx, audit, organization)),
  )
  return undefined
}

async function resend(
  context: Context,
  db: Db,
  audit: (entry: AuditEntry) => void,
  organization: InvitingOrganization,
): Promise<void> {
  const { input, keys, now } = context
  const { organizationId, name } = organization
  const pending = found(await findPendingMember(db, input))
  const { accountId, email, loginMethod, preferredLanguage, message, acceptedAt, ssnSealed } = pending
  // It was accepted, but no sign-in ever matched: the number was wrong, and the next one may be another.
  const forgotten = acceptedAt !== null && (await forgetGivenSsn(db, accountId))
  const wrong = forgotten && ssnSealed ? await openSsn(keys, accountId, ssnSealed) : null
  const person = { accountId, email, loginMethod, preferredLanguage }
  const invitation = { organization, message, now, ...inviterOf(context) }
  const { expiresAt } = await sendInvitations(context, db, [person], invitation)
  audit({
    name: 'inviteUser',
    target: { id: accountId, label: email },
    organizationIds: [organizationId],
    before: { ssn: wrong },
    after: { ssn: null, organization: name, expiresAt },
  })
}
