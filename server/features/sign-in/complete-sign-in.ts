import { sql } from 'kysely'
import * as z from 'zod/mini'
import { email as emailField } from '#contract/fields.ts'
import type { MessageKey } from '#contract/message-key.ts'
import type { signIn } from '#contract/sign-in.ts'
import { resumePath } from '#server/oidc/artifacts.adapter.ts'
import { endSession } from '#server/oidc/end-sessions.ts'
import { finishInteraction, isOwnInteraction, restartAddress } from '#server/oidc/interactions.ts'
import type { MountedProvider } from '#server/oidc/mount-provider.ts'
import { changeWithAuditEvent } from '#server/platform/audit.ts'
import { Problem } from '#server/platform/problem.ts'
import type { RequestContext } from '#server/platform/request-context.ts'
import { rememberBrowser } from './known-browser.ts'
import { findPerson, noteSignIn, type Person } from './people.repository.ts'
import { twoFactors } from './second-factor.handlers.ts'
import { provePassword, redeemCode } from './second-factor.ts'
import { sendCode } from './send-code.ts'
import { redeemTicket } from './ticket.ts'

type Context = RequestContext<typeof signIn.complete>

/** Who it is, and how that was proven. */
interface Proof {
  person: Person
  amr: string[]
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
    const proof = await prove(context, email)
    if (!('person' in proof)) return back(proof)
    return (await finish(context, provider, uid, proof)) ? resumePath(uid) : await restartAddress(db, uid, email)
  } catch (error) {
    if (error instanceof Problem) return back({ error: error.key })
    throw error
  }
}

/** The ticket of a check a moment ago, else everything now. */
async function prove(context: Context, email: string): Promise<Proof | NotYet> {
  const { db, input, http } = context
  const ticket = await redeemTicket(context, http.request, http.reply)
  if (ticket) {
    const person = await findPerson(db, email)
    if (person?.active && person.accountId === ticket.accountId && person.authEpoch === ticket.authEpoch)
      return { person, amr: ticket.amr }
  }
  const { password } = input
  if (!password) return { error: 'required' }
  const proven = await provePassword(context, { email, password, methods: ['local', 'local2FA'] })
  if (!proven) return { error: 'invalidCredentials' }
  const { person } = proven
  if (person.loginMethod === 'local') return { person, amr: ['pwd'] }
  // Without script nobody has asked for a code yet: the page comes again with a field for it.
  const code = input.code?.replace(/\s/g, '')
  if (code) return (await redeemCode(context, proven, code)) ? { person, amr: twoFactors } : { error: 'invalidCode' }
  await sendCode(context, { person, password, by: 'email' })
  return {}
}

/**
 * Writes everything that a sign-in leaves, in one statement. Somebody else's session in this browser ends before it.
 *
 * @returns false when the interaction ended in the meantime, or the password was changed
 */
async function finish(
  context: Context,
  provider: MountedProvider,
  uid: string,
  { person, amr }: Proof,
): Promise<boolean> {
  const { db, now, requestId, session, http } = context
  const { accountId, email, organizationIds, authEpoch } = person
  const forgetSession = session !== undefined && session.actor.accountId !== accountId
  if (forgetSession) provider.tellServices(await context.transact((trx) => endSession(trx, session.key)))
  const change = sql`${finishInteraction(now, uid, { accountId, authEpoch, amr, forgetSession })},
    ${noteSignIn(now, accountId)}`
  const who = { id: accountId, label: email, organizationIds }
  const done = await changeWithAuditEvent(
    db,
    change,
    { name: 'loginSuccess', actor: who, target: who },
    { requestId, now },
  )
  if (done) rememberBrowser(http, context, email)
  return done
}
