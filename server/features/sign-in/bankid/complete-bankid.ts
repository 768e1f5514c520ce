import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { bankid } from '#contract/bankid.ts'
import { email as emailField } from '#contract/fields.ts'
import { isOwnInteraction, restartAddress } from '#server/oidc/interactions.ts'
import type { MountedProvider } from '#server/oidc/mount-provider.ts'
import type { Db } from '#server/platform/database.ts'
import type { RequestContext } from '#server/platform/request-context.ts'
import { finishSignIn } from '../finish-sign-in.ts'
import { findPerson } from '../people.repository.ts'
import { refuseSignIn } from '../refuse-sign-in.ts'
import { type StoredOrder, takeCompleted } from './orders.repository.ts'

/**
 * RFC 8176: a key that software holds, and a second factor (the code or the face) that opens it. A BankID on a card is
 * stronger than that; which one it was BankID does not say, so the lesser is claimed.
 */
const amr = ['swk', 'mfa']

/**
 * The form that completes a sign-in with BankID: takes the result of the order, once, and compares who identified with
 * whose address was given. Whatever does not fit is refused alike: another person, an unknown address, an account that
 * may not sign in.
 */
export async function completeBankId(
  context: RequestContext<typeof bankid.complete>,
  provider: MountedProvider,
): Promise<string> {
  const { db, params, input, now, http } = context
  const { uid } = params
  const sent = z.safeParse(emailField, input.email ?? '').data
  if (!isOwnInteraction(context, http.request, uid)) return restartAddress(db, uid, sent)
  const taken = await takeCompleted(db, uid, now)
  // Nothing to take, or taken a moment ago: the page sees whether the sign-in is over, and begins again where it is not.
  if (!taken) return sent === undefined ? `/interaction/${uid}` : pageFor(uid, { email: sent })
  const { email, order } = taken
  // The same work for an address that nobody has.
  const [person, isOwner] = await Promise.all([findPerson(db, email), isOwnerOf(db, email, order)])
  const proven = isOwner && order.risk !== 'high'
  if (person && proven && (person.active || person.awaited)) return finishSignIn(context, provider, { person, amr })
  await refuseSignIn(context, { email, person, proven })
  return pageFor(uid, { email, error: 'bankIdRefused' })
}

const pageFor = (uid: string, query: Record<string, string>) =>
  `/interaction/${uid}/login?${new URLSearchParams(query)}`

/**
 * Did the owner of this account identify, and is BankID how they sign in? A number that is not known yet
 * (`placeholder…`) has an index that no personal number has.
 */
async function isOwnerOf(db: Db, email: string, { ssnIndexes }: StoredOrder): Promise<boolean> {
  const indexes = ssnIndexes.map((index) => Buffer.from(index, 'hex'))
  const { rows } = await sql`
    select from users where email = ${email} and login_method = 'bankid' and ssn_index = any(${indexes})`.execute(db)
  return rows.length > 0
}
