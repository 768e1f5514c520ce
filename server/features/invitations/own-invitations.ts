import type { invitations } from '#contract/invitations/invitations.ts'
import { isLocal } from '#contract/users/user-forms.ts'
import type { AuditEntry } from '#server/platform/audit/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Handlers, RequestContext } from '#server/platform/http/request-context.ts'
import { found, Problem } from '#server/platform/problem.ts'
import { invalidInvitation, limitGuesses } from './accept-invitation.ts'
import { becomeMember } from './become-member.ts'
import { refuseWithoutSignIn } from './floor.ts'
import { findByToken } from './invitation-tokens.ts'
import { deleteInvitation, findOpenInvitationForUpdate, type OpenInvitation } from './invitations.repository.ts'
import { listOwnInvitations } from './invitations.ts'
import { lockOwnAccount, speaksForAddress } from './own-invitations.repository.ts'

type Own = NonNullable<Awaited<ReturnType<typeof lockOwnAccount>>>
type Context = Pick<
  RequestContext<typeof invitations.join>,
  'actor' | 'session' | 'now' | 'outbox' | 'requireFreshProof'
>

/** Invitations to a signed-in user's own address. Every membership needs the user's consent. */
export const ownInvitationsHandlers: Pick<
  Handlers<typeof invitations>,
  'mine' | 'join' | 'joinByLink' | 'decline' | 'declineByLink'
> = {
  mine: ({ db, actor, now }) => listOwnInvitations(db, actor.accountId, now),
  join: async (context) => {
    const { db, params, audit } = context
    const { own, invitation } = await lockOwn(context, db, params.id)
    await join(context, db, audit, own, invitation)
    return undefined
  },
  joinByLink: (context) =>
    answerByLink(context, (db, audit, own, invitation) => join(context, db, audit, own, invitation)),
  decline: async (context) => {
    const { db, params, audit } = context
    const { own, invitation } = await lockOwn(context, db, params.id)
    await decline(db, audit, own, invitation)
    return undefined
  },
  declineByLink: (context) => answerByLink(context, decline),
}

type ByLink = RequestContext<typeof invitations.joinByLink> | RequestContext<typeof invitations.declineByLink>

/** Answers an invitation by its mailed link, which proves that the user reads the mail of the address. */
async function answerByLink(
  context: ByLink,
  answer: (db: Db, audit: (entry: AuditEntry) => void, own: Own, invitation: OpenInvitation) => Promise<void>,
): Promise<undefined> {
  const { db, keys, now, input, session, transact } = context
  const open = async (on: Db, lock: boolean) => {
    const link = await findByToken(on, { keys, now, token: input.token, lock })
    const isOwn = link?.mailed && link.invitation.email === session.user.email && link.invitation.organizationId
    return isOwn ? link.invitation : undefined
  }
  if (!(await open(db, false))) {
    await limitGuesses(context)
    throw invalidInvitation()
  }
  await transact(async (trx, audit) => {
    const invitation = await open(trx, true)
    if (!invitation) throw invalidInvitation()
    const own = found(await lockOwnAccount(trx, session.user.accountId))
    // Someone else may have the credentials of this account: the link must replace it instead.
    if (own.emailProof === null) throw new Problem(409, 'emailNotProven')
    await answer(trx, audit, own, invitation)
  })
  return undefined
}

/** Locks the account and its invitation. @throws Problem 404 if the invitation is someone else's or gone */
async function lockOwn({ actor, now }: Context, db: Db, invitationId: string) {
  const invitation = await findOpenInvitationForUpdate(db, invitationId, now)
  const own = await lockOwnAccount(db, actor.accountId)
  const isOwn = own && invitation?.organizationId && invitation.email === own.email && speaksForAddress(own)
  if (!isOwn) throw new Problem(404, 'notFound')
  return { own, invitation }
}

async function join(
  context: Context,
  db: Db,
  audit: (entry: AuditEntry) => void,
  own: Own,
  invitation: OpenInvitation,
): Promise<void> {
  refuseWithoutSignIn(own, invitation)
  // The admins there may enter a phone number, which opens an account that has a password.
  context.requireFreshProof(isLocal(context.session.user.loginMethod))
  const entry = invitation.guest ? 'guest' : 'joined'
  const after = await becomeMember(context, db, own, invitation, entry)
  audit({
    name: 'joinOrganization',
    ...about(own, invitation),
    after: { ...after, ...(invitation.guest && { guest: true }) },
  })
}

async function decline(
  db: Db,
  audit: (entry: AuditEntry) => void,
  own: Own,
  invitation: OpenInvitation,
): Promise<void> {
  await deleteInvitation(db, invitation.invitationId)
  audit({ name: 'declineInvite', ...about(own, invitation), before: { organization: invitation.organizationName } })
}

/** Visible to the admins of the inviting organisation, not to those of the person's other organisations. */
function about({ accountId, email }: Own, { organizationId }: OpenInvitation) {
  return { target: { id: accountId, label: email }, organizationIds: organizationId ? [organizationId] : [] }
}
