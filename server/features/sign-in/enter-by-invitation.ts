import type { signIn } from '#contract/sign-in/sign-in.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { proveByTicket } from './complete-sign-in.ts'
import { finishSignIn } from './finish-sign-in.ts'

/**
 * Signs in somebody who has just accepted an invitation in this browser, where its link and the password proved enough.
 * Otherwise the person goes on to the step of their own method.
 *
 * @param page of the sign-in that was begun for it
 */
export async function enterByInvitation(
  context: RequestContext<typeof signIn.login>,
  page: string,
  email: string,
): Promise<string> {
  const proof = await proveByTicket(context, email)
  const uid = page.slice(page.lastIndexOf('/') + 1)
  return proof
    ? finishSignIn({ ...context, params: { uid } }, proof)
    : `${page}/login?${new URLSearchParams({ email })}`
}
