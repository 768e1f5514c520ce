import * as z from 'zod/mini'
import { email as emailField } from '#contract/fields.ts'
import type { MessageKey } from '#contract/message-key.ts'
import type { signIn } from '#contract/sign-in.ts'
import { asOpenInteraction, isOwnInteraction, openInteraction, restartAddress } from '#server/oidc/interactions.ts'
import type { MountedProvider } from '#server/oidc/mount-provider.ts'
import { Problem } from '#server/platform/problem.ts'
import type { RequestContext } from '#server/platform/request-context.ts'
import { finishAtOnce, finishSignIn, type Proof } from './finish-sign-in.ts'
import { findPerson } from './people.repository.ts'
import { twoFactors } from './second-factor.handlers.ts'
import { provePassword, redeemCode } from './second-factor.ts'
import { sendCode } from './send-code.ts'
import { takeTicket } from './ticket.ts'

type Context = RequestContext<typeof signIn.complete>

/** It is over: where the browser goes. */
interface Ended {
  end: string
}
/** What the page has to ask next, or to say. */
interface NotYet {
  error?: MessageKey
}

/** The form that completes a sign-in; any way it goes, the browser goes on. */
export async function completeSignIn(context: Context, provider: MountedProvider): Promise<string> {
  const { db, params, input, http } = context
  const { uid } = params
  const read = z.safeParse(emailField, input.email ?? '')
  const email = read.success ? read.data : undefined
  if (!isOwnInteraction(context, http.request, uid)) return restartAddress(db, uid, email)
  const page = `/interaction/${uid}`
  if (email === undefined) return `${page}?${new URLSearchParams({ email: input.email ?? '', error: 'invalidEmail' })}`
  const back = ({ error }: NotYet) => `${page}/login?${new URLSearchParams({ email, ...(error ? { error } : {}) })}`
  try {
    const proof = await prove(context, provider, email)
    if ('end' in proof) return proof.end
    return 'person' in proof ? await finishSignIn(context, provider, proof) : back(proof)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { status, key, retryAfter, cause } = error
    // Nothing was decided, and nothing is lost: whoever sends the form once more goes on from here.
    if (status === 503) throw new Problem(status, key, { retryAfter, cause, again: back({}) })
    return back({ error: key })
  }
}

/** The ticket of a check a moment ago, else everything now. */
async function prove(context: Context, provider: MountedProvider, email: string): Promise<Proof | Ended | NotYet> {
  const { db, input, http, limits, now, params } = context
  const ticket = await takeTicket(context, http.request, http.reply)
  if (ticket) {
    const person = await findPerson(db, email)
    if (person?.active && person.accountId === ticket.accountId && person.authEpoch === ticket.authEpoch)
      return { person, amr: ticket.amr, ticket: ticket.use }
  }
  const { password } = input
  if (!password) return { error: 'required' }
  let end: string | undefined
  const proven = await provePassword(
    context,
    { email, password, methods: ['local', 'local2FA'] },
    {
      wanted: openInteraction(now, params.uid),
      // A password that is the whole proof ends the sign-in at once, while it still has its turn.
      async whenRight(person, settling, read) {
        const interaction = asOpenInteraction(read)
        if (person.loginMethod === 'local')
          end = await finishAtOnce(context, provider, { person, amr: ['pwd'] }, { interaction, settling })
        if (!end) await limits.settle(db, settling, now)
      },
    },
  )
  if (end) return { end }
  if (!proven) return { error: 'invalidCredentials' }
  const { person } = proven
  if (person.loginMethod === 'local') return { person, amr: ['pwd'] }
  // Without script nobody has asked for a code yet: the page comes again with a field for it.
  const code = input.code?.replace(/\s/g, '')
  if (code) return (await redeemCode(context, proven, code)) ? { person, amr: twoFactors } : { error: 'invalidCode' }
  await sendCode(context, { person, password, by: 'email' })
  return {}
}
