import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { bankid } from '#contract/bankid.ts'
import { email as emailField } from '#contract/fields.ts'
import { findRestartUrl, isOwnInteraction } from '#server/oidc/interactions.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { finishSignIn } from '../finish-sign-in.ts'
import { findPerson } from '../people.repository.ts'
import { refuseSignIn } from '../refuse-sign-in.ts'
import { consumeCompleted, type StoredOrder } from './orders.repository.ts'

/**
 * RFC 8176: a software-held key, unlocked by a second factor (PIN or face). A BankID on a smart card is stronger, but
 * BankID does not say which kind was used, so claim the weaker.
 */
const amr = ['swk', 'mfa']

/**
 * Handles the form that completes a sign-in with BankID. Consumes the result of the order once and checks that the person
 * who identified owns the given address. Every mismatch gets the same refusal: another person, an unknown address, an
 * account that may not sign in.
 */
export async function completeBankId(context: RequestContext<typeof bankid.complete>): Promise<string> {
  const { db, params, input, now, http } = context
  const { uid } = params
  const sent = z.safeParse(emailField, input.email ?? '').data
  if (!isOwnInteraction(context, http.request, uid)) return findRestartUrl(db, uid, sent)
  const taken = await consumeCompleted(db, uid, now)
  // No result, or already consumed: the page checks whether the sign-in is over, and starts again if it is not.
  if (!taken) return sent === undefined ? `/interaction/${uid}` : pageFor(uid, { email: sent })
  const { email, order } = taken
  // Do the same work for an unknown address, so that timing reveals nothing.
  const [person, isOwner] = await Promise.all([findPerson(db, email), isOwnerOf(db, email, order)])
  const proven = isOwner && order.risk !== 'high'
  if (person && proven && (person.active || person.awaited)) return finishSignIn(context, { person, amr })
  await refuseSignIn(context, { email, person, method: 'bankid', uid, proven })
  return pageFor(uid, { email, error: 'bankIdRefused' })
}

const pageFor = (uid: string, query: Record<string, string>) =>
  `/interaction/${uid}/login?${new URLSearchParams(query)}`

/**
 * True if the owner of this account identified, and BankID is their login method. A personal number that is not known
 * yet (`placeholder…`) has an index that no real number can match.
 */
async function isOwnerOf(db: Db, email: string, { ssnIndexes }: StoredOrder): Promise<boolean> {
  const indexes = ssnIndexes.map((index) => Buffer.from(index, 'hex'))
  const { rows } = await sql`
    select from users where email = ${email} and login_method = 'bankid' and ssn_index = any(${indexes})`.execute(db)
  return rows.length > 0
}
