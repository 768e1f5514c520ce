import { sql } from 'kysely'
import * as z from 'zod/mini'
import { email as emailField } from '#contract/fields.ts'
import type { signIn } from '#contract/sign-in.ts'
import { resumePath } from '#server/oidc/artifacts.adapter.ts'
import { endSession } from '#server/oidc/end-sessions.ts'
import { finishInteraction, isOwnInteraction, restartAddress } from '#server/oidc/interactions.ts'
import type { MountedProvider } from '#server/oidc/mount-provider.ts'
import { changeWithAuditEvent } from '#server/platform/audit.ts'
import { Problem } from '#server/platform/problem.ts'
import type { RequestContext } from '#server/platform/request-context.ts'
import { type Checked, checkPassword } from './credentials.ts'
import { rememberBrowser } from './known-browser.ts'
import { findPerson, noteSignIn } from './people.repository.ts'
import { redeemTicket } from './ticket.ts'

type Context = RequestContext<typeof signIn.complete>

/** The form that completes a sign-in; any way it goes, the browser goes on. */
export async function completeSignIn(context: Context, provider: MountedProvider): Promise<string> {
  const { db, params, input, http } = context
  const { uid } = params
  const read = z.safeParse(emailField, input.email ?? '')
  const email = read.success ? read.data : undefined
  if (!isOwnInteraction(context, http.request, uid)) return restartAddress(db, uid, email)
  const page = `/interaction/${uid}`
  if (email === undefined) return `${page}?${new URLSearchParams({ email: input.email ?? '', error: 'invalidEmail' })}`
  const back = (error: string) => `${page}/login?${new URLSearchParams({ email, error })}`
  try {
    const checked = await prove(context, email)
    if (!checked) return back(input.password ? 'invalidCredentials' : 'required')
    return (await finish(context, provider, uid, checked)) ? resumePath(uid) : await restartAddress(db, uid, email)
  } catch (error) {
    if (error instanceof Problem) return back(error.key)
    throw error
  }
}

/** The ticket of a check a moment ago, else the password now. */
async function prove(context: Context, email: string): Promise<(Checked & { amr: string[] }) | undefined> {
  const { db, input, http } = context
  const ticket = await redeemTicket(context, http.request, http.reply)
  if (ticket) {
    const person = await findPerson(db, email)
    if (person?.active && person.accountId === ticket.accountId)
      return { person, passwordHash: undefined, amr: ticket.amr }
  }
  if (!input.password) return undefined
  const checked = await checkPassword(context, { email, password: input.password, method: 'local' })
  return checked && { ...checked, amr: ['pwd'] }
}

/**
 * Writes everything that a sign-in leaves, in one statement. Somebody else's session in this browser ends before it.
 *
 * @returns false when the interaction ended in the meantime
 */
async function finish(
  context: Context,
  provider: MountedProvider,
  uid: string,
  { person, passwordHash, amr }: Checked & { amr: string[] },
): Promise<boolean> {
  const { db, now, requestId, session, http } = context
  const { accountId, email, organizationIds } = person
  const forgetSession = session !== undefined && session.actor.accountId !== accountId
  if (forgetSession) provider.tellServices(await context.transact((trx) => endSession(trx, session.key)))
  const change = sql`${finishInteraction(now, uid, { accountId, amr, forgetSession })},
    ${noteSignIn(now, accountId, passwordHash)}`
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
