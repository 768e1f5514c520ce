import type { saml } from '#contract/saml.ts'
import { isOwnInteraction, restartAddress } from '#server/oidc/interactions.ts'
import type { MountedProvider } from '#server/oidc/mount-provider.ts'
import type { RequestContext } from '#server/platform/request-context.ts'
import { finishSignIn } from '../finish-sign-in.ts'
import { refuseSignIn } from '../refuse-sign-in.ts'
import { findPersonOf } from './asserted-person.ts'
import { redeemSamlTicket } from './saml-ticket.ts'
import { signInPage } from './sign-in-page.ts'

/** Not in RFC 8176, but what others say of a sign-in that somebody else has seen to: how, only the company knows. */
const amr = ['fed']

/**
 * The browser comes back from the company. Here its cookies are with it again: only the one that asked is signed in. A
 * ticket that another one brings is used up by that.
 */
export async function completeSaml(
  context: RequestContext<typeof saml.complete>,
  provider: MountedProvider,
): Promise<string> {
  const { db, now, params, query, http } = context
  const { uid } = params
  const ticket = query.ticket ? await redeemSamlTicket(db, now, query.ticket) : undefined
  const person = ticket && (await findPersonOf(db, ticket.samlConfigId, ticket.accountId))
  if (!isOwnInteraction(context, http.request, uid) || (ticket && ticket.uid !== uid)) {
    if (ticket)
      await refuseSignIn(context, { email: ticket.email, person, proven: false, reason: 'another browser had asked' })
    return restartAddress(db, uid, undefined, 'signInOver')
  }
  if (!ticket) return signInPage(uid, { error: 'signInOver' })
  if (person?.authEpoch !== ticket.authEpoch) return signInPage(uid, { email: ticket.email, error: 'signInOver' })
  return finishSignIn(context, provider, { person, amr })
}
