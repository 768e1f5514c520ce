import type { bankid } from '#contract/sign-in/bankid.ts'
import { findPerson } from '#server/credentials/people.repository.ts'
import { refuseSignIn } from '#server/credentials/refuse-sign-in.ts'
import { isOwnInteraction } from '#server/oidc/interactions.ts'
import { restartSignIn } from '#server/oidc/restart-sign-in.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { endInOtherBrowser, markReturned } from './orders.repository.ts'

/**
 * The app on this device has opened its return address. In the browser that started the sign-in, the order may now sign
 * the person in. In another browser the order ends: either the person was lured by a link to identify for someone
 * else's sign-in, or the device opens links in a different default browser.
 */
export async function returnFromApp(context: RequestContext<typeof bankid.back>): Promise<string> {
  const { db, params, query, now, http } = context
  const { uid } = params
  const { nonce = '' } = query
  if (isOwnInteraction(context, http.request, uid)) {
    const order = await markReturned(db, uid, nonce, now)
    // A nonce that no order expects changes nothing; the page shows the state of the order.
    if (!order) return `/interaction/${uid}`
    // The fragment tells the page to resume this order: `returnMark` in web/sign-in.
    return `/interaction/${uid}/login?${new URLSearchParams({ email: order.email })}#bankid`
  }
  const order = await endInOtherBrowser(db, uid, nonce, now)
  if (order) {
    const { email } = order
    const person = await findPerson(db, email)
    const reason = 'the sign-in was started in another browser'
    await refuseSignIn(context, { email, person, method: 'bankid', uid, proven: false, reason })
  }
  return restartSignIn(context, uid, order?.email, 'signInOver')
}
