import { bulkInvitations } from '#contract/invitations/bulk-invitations.ts'
import { invitationPages, invitations } from '#contract/invitations/invitations.ts'
import { neededToGive, rolePermissions, serviceAdminNeeds } from '#contract/organization-roles/role-permissions.ts'
import { refuseMoreThanOwn } from '#server/accounts/own-permissions.ts'
import type { PublicPages } from '#server/platform/http/public-pages.ts'
import type { Handlers, RequestContext } from '#server/platform/http/request-context.ts'
import { found } from '#server/platform/problem.ts'
import { type CreateCallGroups, callGroup } from '#server/room.ts'
import { acceptInvitation, invalidInvitation, refuseUnreachable } from './accept-invitation.ts'
import { findAccountAt } from './account-at-address.repository.ts'
import { floorFor } from './floor.ts'
import { bulkInvitationsHandlers } from './import-people.ts'
import { findByToken, shownLink } from './invitation-tokens.ts'
import { findOpenInvitationTo, listPromisedServices } from './invitations.repository.ts'
import { inviteUser } from './invite.ts'
import { mayReplace } from './open-account.ts'
import { findOwnAccount } from './own-invitations.repository.ts'
import { ownInvitationsHandlers } from './own-invitations.ts'
import { findDelivery, findPendingMember } from './pending-members.repository.ts'
import { findPromisedEnd, promisesGroups } from './promised-end.repository.ts'
import { resendInvitation } from './resend-invitation.ts'

export const invitationsHandlers: Handlers<typeof invitations> = {
  invite: inviteUser,
  resend: resendInvitation,
  link: readLink,
  delivery: async ({ db, params }) => {
    const invitation = await findDelivery(db, params)
    if (!invitation) {
      found(await findPendingMember(db, params))
      return { sentAt: null, expiresAt: null, accepted: true, delivery: null, reason: null }
    }
    const { sentAt, expiresAt, state, reason } = invitation
    return {
      sentAt: sentAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
      accepted: false,
      delivery: state,
      reason,
    }
  },
  find: async ({ db, keys, query, now, session }) => {
    const link = await findByToken(db, { keys, now, token: query.token })
    if (!link) throw invalidInvitation()
    const { loginMethod, email, organizationName, firstName, lastName } = link.invitation
    const account = await findAccountAt(db, email)
    const signsIn = link.mailed && account !== undefined && !mayReplace(account, link)
    const own = signsIn && session?.user.email === email && (await findOwnAccount(db, session.user.accountId))
    return {
      ...{ loginMethod, email, organizationName, firstName, lastName },
      account: signsIn ? 'signIn' : 'new',
      floor: own ? floorFor(own, link.invitation) : null,
    }
  },
  accept: (context) => acceptInvitation(context),
  ...ownInvitationsHandlers,
}

/** Returns the shown link, which proves no address. Who opens it gets what is promised, so the reader holds that. */
async function readLink(context: RequestContext<typeof invitations.link>) {
  const { db, actor, params, now, transact } = context
  const invitation = found(await findOpenInvitationTo(db, params, now))
  refuseUnreachable({ invitation, mailed: false })
  const { invitationId, email, userRole } = invitation
  const promised = { userRole, services: await listPromisedServices(db, invitationId) }
  const until = await findPromisedEnd(db, invitationId, serviceAdminNeeds)
  const { organizationId } = params
  // Only who may everything there puts people in groups, or decides what those of a directory become.
  const permissions = (await promisesGroups(db, invitationId)) ? rolePermissions : neededToGive([promised])
  await refuseMoreThanOwn(db, actor, { organizationId, permissions, until })
  await transact(async (_, audit) =>
    audit({
      name: 'readInviteLink',
      target: { id: invitationId, label: email },
      organizationIds: [params.organizationId],
    }),
  )
  return { url: shownLink(context, invitation, actor.accountId) }
}

export const invitationPagesHandlers = (pages: PublicPages): Handlers<typeof invitationPages> => ({
  accept: async ({ http }) => pages.render(http.request, 'accept-invitation'),
  acceptWithoutToken: async ({ http }) => pages.render(http.request, 'accept-invitation'),
})

export const createCallGroups: CreateCallGroups = ({ pages }) => [
  callGroup(invitations, invitationsHandlers),
  callGroup(invitationPages, invitationPagesHandlers(pages)),
  callGroup(bulkInvitations, bulkInvitationsHandlers),
]
