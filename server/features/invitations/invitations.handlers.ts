import type { invitationPages, invitations } from '#contract/invitations.ts'
import { can } from '#contract/permissions.ts'
import { found } from '#server/platform/problem.ts'
import type { PublicPages } from '#server/platform/public-pages.ts'
import type { Handlers } from '#server/platform/request-context.ts'
import { acceptInvitation, invalidInvitation } from './accept-invitation.ts'
import { findByToken, mailedLink, shownLink } from './invitation-tokens.ts'
import { findDelivery, findOpenInvitationTo } from './invitations.repository.ts'
import { invite } from './invite.ts'
import { resendInvitation } from './resend-invitation.ts'

export const invitationsHandlers: Handlers<typeof invitations> = {
  invite,
  resend: resendInvitation,
  link: async (context) => {
    const { db, params, now, actor } = context
    const invitation = found(await findOpenInvitationTo(db, params, now))
    // Whoever may do everything gains nothing by a link; for others it must lead to their own organisation alone.
    if (can(actor, 'administerEverything')) return { url: mailedLink(context, invitation) }
    return { url: shownLink(context, found(invitation.isOnlyHere ? invitation : undefined)) }
  },
  delivery: async ({ db, params }) => {
    const { sentAt, expiresAt, acceptedAt, state, reason } = found(await findDelivery(db, params))
    return {
      sentAt: sentAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
      accepted: acceptedAt !== null,
      delivery: state,
      reason,
    }
  },
  find: async ({ db, keys, query, now }) => {
    const invitation = await findByToken(db, { keys, now, token: query.token })
    if (!invitation) throw invalidInvitation()
    return invitation
  },
  accept: acceptInvitation,
}

export const invitationPagesHandlers = (pages: PublicPages): Handlers<typeof invitationPages> => ({
  accept: async ({ http }) => pages.render(http.request, 'accept-invitation'),
})
