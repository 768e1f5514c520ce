import * as z from 'zod/mini'
import { email as emailField } from '#contract/fields/fields.ts'
import type { bankid } from '#contract/sign-in/bankid.ts'
import { signInMethods } from '#contract/sign-in-methods.ts'
import { endChallenge, findChallenge } from '#server/credentials/challenge.ts'
import { findPerson } from '#server/credentials/people.repository.ts'
import { refuseSignIn } from '#server/credentials/refuse-sign-in.ts'
import { isOwnInteraction } from '#server/oidc/interactions.ts'
import { restartSignIn } from '#server/oidc/restart-sign-in.ts'
import { amrAfterPassword } from '#server/oidc/sign-in-method.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { finishSignIn } from '../finish-sign-in.ts'
import { findOwned } from './identified-owner.repository.ts'
import { consumeCompleted } from './orders.repository.ts'

/**
 * RFC 8176: a software-held key, unlocked by a second factor (PIN or face). A BankID on a smart card is stronger, but
 * BankID does not say which kind was used, so claim the weaker.
 */
const by = 'bankid'

/**
 * Handles the form that completes a sign-in with BankID. Consumes the result of the order once and checks that the person
 * who identified owns the given address. Every mismatch gets the same refusal: another person, an unknown address, an
 * account that may not sign in.
 */
export async function completeBankId(context: RequestContext<typeof bankid.complete>): Promise<string> {
  const { db, params, input, now, http, session } = context
  const { uid } = params
  const sent = z.safeParse(emailField, input.email ?? '').data
  if (!isOwnInteraction(context, http.request, uid)) return restartSignIn(context, uid, sent)
  const taken = await consumeCompleted(db, uid, now)
  // No result, or already consumed: the page checks whether the sign-in is over, and starts again if it is not.
  if (!taken) return sent === undefined ? `/interaction/${uid}` : pageFor(uid, session?.user.email, { email: sent })
  const { email, order } = taken
  // Do the same work for an unknown address, so that timing reveals nothing.
  const { ssnIndexes } = order
  const challenge = await findChallenge(db, context)
  const passwordOf = challenge?.email === email ? challenge : undefined
  const identified = { email, ssnIndexes, sessionOf: session?.actor.accountId, passwordOf }
  const [person, owned] = await Promise.all([findPerson(db, email), findOwned(db, identified)])
  const proven = owned !== undefined && order.risk !== 'high'
  if (person && proven && (person.active || person.awaited)) {
    if (owned.afterPassword) await endChallenge(db, context)
    return finishSignIn(context, {
      person,
      amr: owned.afterPassword ? amrAfterPassword(by) : signInMethods[by].amr,
      number: owned.isProven ? undefined : { by, indexes: ssnIndexes },
    })
  }
  await refuseSignIn(context, { email, person, method: 'bankid', uid, proven })
  return pageFor(uid, passwordOf ? email : session?.user.email, { email, error: 'bankIdRefused' })
}

/** To raise an open session, or after the password, the page stays at BankID whatever the account signs in with. */
const pageFor = (uid: string, begun: string | undefined, query: { email: string; error?: string }) =>
  `/interaction/${uid}/login?${new URLSearchParams({
    ...query,
    ...(begun === query.email && { method: 'bankid' }),
  })}`
