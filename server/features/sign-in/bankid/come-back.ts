import type { bankid } from '#contract/bankid.ts'
import { isOwnInteraction, restartAddress } from '#server/oidc/interactions.ts'
import type { RequestContext } from '#server/platform/request-context.ts'
import { findPerson } from '../people.repository.ts'
import { refuseSignIn } from '../refuse-sign-in.ts'
import { comeBack, endAstray } from './orders.repository.ts'

/**
 * The app was opened on the device of some browser, and leads that one here. Is it the one that began the sign-in, the
 * order is good from now on. In any other somebody has identified for a sign-in that is not theirs, lured by a link, or
 * the device has a favourite browser: nobody is signed in by that order.
 */
export async function comeBackFromApp(context: RequestContext<typeof bankid.back>): Promise<string> {
  const { db, params, query, now, http } = context
  const { uid } = params
  const { nonce = '' } = query
  if (isOwnInteraction(context, http.request, uid)) {
    const order = await comeBack(db, uid, nonce, now)
    // What is not awaited changes nothing: the page sees how the order stands.
    if (!order) return `/interaction/${uid}`
    // With the mark by which the page knows that it has an order to look after: `returnMark` in web/sign-in.
    return `/interaction/${uid}/login?${new URLSearchParams({ email: order.email })}#bankid`
  }
  const order = await endAstray(db, uid, nonce, now)
  if (order) {
    const { email } = order
    const person = await findPerson(db, email)
    await refuseSignIn(context, { email, person, proven: false, reason: 'another browser had asked' })
  }
  return restartAddress(db, uid, order?.email, 'signInOver')
}
