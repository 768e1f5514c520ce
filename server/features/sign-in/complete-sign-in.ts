import * as z from 'zod/mini'
import { email as emailField } from '#contract/fields/fields.ts'
import { asksForTwo, localMethods } from '#contract/login-methods.ts'
import type { MessageKey } from '#contract/message-key.ts'
import type { signIn } from '#contract/sign-in/sign-in.ts'
import { findPerson } from '#server/credentials/people.repository.ts'
import { redeemCode, withProvenPassword } from '#server/credentials/second-factor.ts'
import { beginSecondStep } from '#server/credentials/send-code.ts'
import { takeTicket } from '#server/credentials/ticket.ts'
import { findOpenInteraction, isOwnInteraction } from '#server/oidc/interactions.ts'
import { restartSignIn } from '#server/oidc/restart-sign-in.ts'
import { amrOfLogin } from '#server/oidc/sign-in-method.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { Problem } from '#server/platform/problem.ts'
import { finishSignIn, type Proof } from './finish-sign-in.ts'

type Context = RequestContext<typeof signIn.complete>

/** The sign-in is incomplete: the page shows the error, or asks for the next proof. */
interface Incomplete {
  error?: MessageKey
}

/** Handles the form that completes a sign-in. @returns where the browser goes next, also after an error */
export async function completeSignIn(context: Context): Promise<string> {
  const { db, now, params, input, http } = context
  const { uid } = params
  const read = z.safeParse(emailField, input.email ?? '')
  const email = read.success ? read.data : undefined
  if (!isOwnInteraction(context, http.request, uid)) {
    // The cookie of a sign-in ends with it: say why the password was not enough.
    const isOver = !(await findOpenInteraction(db, now, uid))
    return restartSignIn(context, uid, email, isOver ? 'signInOver' : undefined)
  }
  const page = `/interaction/${uid}`
  if (email === undefined) return `${page}?${new URLSearchParams({ email: input.email ?? '', error: 'invalidEmail' })}`
  const back = ({ error }: Incomplete) => `${page}/login?${new URLSearchParams({ email, ...(error ? { error } : {}) })}`
  try {
    const ticket = await proveByTicket(context, email)
    if (ticket) return await finishSignIn(context, ticket)
    const { password } = input
    if (!password) return back({ error: 'required' })
    const attempt = { email, password, methods: localMethods, uid }
    const end = await withProvenPassword(context, attempt, async (proven, right) => {
      const { person } = proven
      if (!asksForTwo(person.loginMethod))
        return finishSignIn(context, { ...right, person, amr: amrOfLogin(person.loginMethod) })
      const code = await proveByCode(context, proven, password)
      return 'amr' in code ? finishSignIn(context, { person, ...code }) : back(code)
    })
    return end ?? back({ error: 'invalidCredentials' })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { status, key, retryAfter, cause } = error
    // Nothing was decided or used up: sending the form again continues from here.
    if (status === 503) throw new Problem(status, key, { retryAfter, cause, again: back({}) })
    return back({ error: key })
  }
}

/** Accepts the ticket of a recent check. */
export async function proveByTicket(
  context: Pick<Context, 'db' | 'config' | 'now' | 'http'>,
  email: string,
): Promise<Proof | undefined> {
  const ticket = await takeTicket(context, context.http.request, context.http.reply)
  if (!ticket) return undefined
  const person = await findPerson(context.db, email)
  if (!person?.active || person.accountId !== ticket.accountId || person.authEpoch !== ticket.authEpoch)
    return undefined
  const { amr, addressProof, isOfEarlier, use } = ticket
  return { person, amr, addressProof, isOfEarlier, ticket: use }
}

/** Without JavaScript no code has been sent yet: sends one, and the page is shown again with a field for it. */
async function proveByCode(
  context: Context,
  proven: Parameters<typeof redeemCode>[1],
  password: string,
): Promise<Pick<Proof, 'amr' | 'addressProof'> | Incomplete> {
  const code = context.input.code?.replace(/[\s-]/g, '')
  if (code) return (await redeemCode(context, proven, { code, uid: context.params.uid })) ?? { error: 'invalidCode' }
  // A passkey needs a script, and this form has none.
  const by = proven.person.usualFactor === 'passkey' ? 'email' : undefined
  await beginSecondStep(context, { person: proven.person, password, by })
  return {}
}
