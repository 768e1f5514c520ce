import type { saml } from '#contract/sign-in/saml.ts'
import { signInMethods } from '#contract/sign-in-methods.ts'
import { refuseSignIn } from '#server/credentials/refuse-sign-in.ts'
import { isOwnInteraction } from '#server/oidc/interactions.ts'
import { stopAskingAgain } from '#server/oidc/logout/ask-again.ts'
import { restartSignIn } from '#server/oidc/restart-sign-in.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { finishSignIn } from '../finish-sign-in.ts'
import { findPersonOfConfig } from './asserted-person.repository.ts'
import { redeemCompanyTicket } from './company-ticket.ts'
import { emailPageAddress } from './email-page.ts'
import { recordCompanySignIn } from './record-company-sign-in.repository.ts'
import { forgetRestart, restartAtCompany } from './restart-at-company.ts'

/** Not in RFC 8176, but the usual value for a federated sign-in: only the company knows how the person authenticated. */
const { amr } = signInMethods.company

/**
 * The browser returns from the company. This same-site request carries its cookies, so only the browser that started the
 * sign-in is signed in. A ticket that another browser presents is used up too.
 */
export async function completeCompanySignIn(context: RequestContext<typeof saml.complete>): Promise<string> {
  const { db, now, params, query, http, config } = context
  const { uid } = params
  const ticket = query.ticket ? await redeemCompanyTicket(db, now, query.ticket) : undefined
  const access = ticket && (await findPersonOfConfig(db, ticket.samlConfigId, ticket.email))
  const person = access?.person.accountId === ticket?.accountId ? access?.person : undefined
  if (!isOwnInteraction(context, http.request, uid) || (ticket && ticket.uid !== uid)) {
    if (ticket) {
      const reason = 'the sign-in was started in another browser'
      const trace = { samlConfigId: ticket.samlConfigId, now, email: ticket.email, reference: http.request.id }
      await refuseSignIn(context, {
        email: ticket.email,
        person,
        method: 'saml',
        uid: ticket.uid,
        proven: false,
        reason,
        alongside: (trx) => recordCompanySignIn(trx, { ...trace, failure: 'otherBrowser', detail: reason }),
      })
      return restartAtCompany(db, ticket)
    }
    return restartSignIn(context, uid, undefined, 'signInOver')
  }
  if (!ticket) return emailPageAddress(uid, { error: 'signInOver' })
  if (person?.authEpoch !== ticket.authEpoch) return emailPageAddress(uid, { email: ticket.email, error: 'signInOver' })
  stopAskingAgain(http.reply, config)
  forgetRestart(http.reply, config)
  const { ssnIndexes } = ticket
  // A super user may have taken the permission back since.
  const number = ssnIndexes && access?.assertsNumbers ? { by: 'company' as const, indexes: ssnIndexes } : undefined
  const addressProof = access?.inDomain ? 'samlDomain' : undefined
  return finishSignIn(context, { person, amr, isOfEarlier: !ticket.again, addressProof, number })
}
