import { signInMethods } from '#contract/sign-in-methods.ts'
import { rememberBrowser } from '#server/credentials/known-browser.ts'
import { portalClientId } from '#server/oidc/clients.adapter.ts'
import { setSessionCookie } from '#server/oidc/new-session.ts'
import { recordPhoneProof } from '#server/oidc/phone-proof.ts'
import { raiseSession } from '#server/oidc/reach/raise-session.ts'
import { methodFromAmr } from '#server/oidc/sign-in-method.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { createSignInTrace } from '#server/platform/http/sign-in-trace.ts'
import { Problem } from '#server/platform/problem.ts'
import type { Session } from '#server/platform/system.ts'

type Context = Pick<RequestContext, 'config' | 'keys' | 'http' | 'now' | 'transact'> & { session: Session }

/**
 * Adds what the person has just proven to this session, which gets a new id.
 *
 * @throws Problem 401 if the session has ended since the request began
 */
export async function raiseOwnSession(context: Context, amr: readonly string[]): Promise<void> {
  const { session, http, now, transact } = context
  const id = await transact(async (db, audit) => {
    const raised = await raiseSession(db, session, { amr, at: now })
    if (raised === undefined) throw new Problem(401, 'signInRequired')
    if (amr.includes(signInMethods.sms.mark)) await recordPhoneProof(db, session.actor.accountId)
    const method = methodFromAmr([...session.amr, ...amr])
    audit({
      name: 'strengthenSession',
      target: { id: session.actor.accountId, label: session.label },
      after: createSignInTrace(http.request, { method, client: portalClientId }),
    })
    return raised
  })
  setSessionCookie(context, id)
  // Where the owner cut browsers off, this session and its cookie came afterwards.
  rememberBrowser(http, context, { email: session.user.email, browsersKnownFrom: null }, amr)
}
