import * as z from 'zod/mini'
import { email as emailField } from '#contract/fields.ts'
import type { MessageKey } from '#contract/message-key.ts'
import type { signIn } from '#contract/sign-in.ts'
import { findRestartUrl, isOwnInteraction } from '#server/oidc/interactions.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { Problem } from '#server/platform/problem.ts'
import { finishSignIn, type Proof } from './finish-sign-in.ts'
import { findPerson } from './people.repository.ts'
import { provePassword, redeemCode } from './second-factor.ts'
import { sendCode } from './send-code.ts'
import { takeTicket } from './ticket.ts'

type Context = RequestContext<typeof signIn.complete>

/** The sign-in is incomplete: the page shows the error, or asks for the next proof. */
interface Incomplete {
  error?: MessageKey
}

/** Handles the form that completes a sign-in. @returns where the browser goes next, also after an error */
export async function completeSignIn(context: Context): Promise<string> {
  const { db, params, input, http } = context
  const { uid } = params
  const read = z.safeParse(emailField, input.email ?? '')
  const email = read.success ? read.data : undefined
  if (!isOwnInteraction(context, http.request, uid)) return findRestartUrl(db, uid, email)
  const page = `/interaction/${uid}`
  if (email === undefined) return `${page}?${new URLSearchParams({ email: input.email ?? '', error: 'invalidEmail' })}`
  const back = ({ error }: Incomplete) => `${page}/login?${new URLSearchParams({ email, ...(error ? { error } : {}) })}`
  try {
    const proof = await prove(context, email)
    return 'person' in proof ? await finishSignIn(context, proof) : back(proof)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { status, key, retryAfter, cause } = error
    // Nothing was decided or used up: sending the form again continues from here.
    if (status === 503) throw new Problem(status, key, { retryAfter, cause, again: back({}) })
    return back({ error: key })
  }
}

/** Accepts the ticket of a recent check, or checks password and code now. */
async function prove(context: Context, email: string): Promise<Proof | Incomplete> {
  const { db, input, http, params } = context
  const ticket = await takeTicket(context, http.request, http.reply)
  if (ticket) {
    const person = await findPerson(db, email)
    if (person?.active && person.accountId === ticket.accountId && person.authEpoch === ticket.authEpoch)
      return { person, amr: ticket.amr, addressProof: ticket.addressProof, ticket: ticket.use }
  }
  const { password } = input
  if (!password) return { error: 'required' }
  const methods = ['local', 'local2FA'] as const
  const proven = await provePassword(context, { email, password, methods, uid: params.uid })
  if (!proven) return { error: 'invalidCredentials' }
  const { person } = proven
  if (person.loginMethod === 'local') return { person, amr: ['pwd'] }
  // Without JavaScript no code has been sent yet: send one, and show the page again with a field for it.
  const code = input.code?.replace(/\s/g, '')
  if (code) {
    const redeemed = await redeemCode(context, proven, { code, uid: params.uid })
    return redeemed ? { person, ...redeemed } : { error: 'invalidCode' }
  }
  await sendCode(context, { person, password, by: 'email' })
  return {}
}
