import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#server/config.ts'
import type { AddressProof } from '#server/oidc/address-proof.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Limits } from '#server/platform/limits/limits.ts'
import { issueToken, peekToken, type TokenUse } from '#server/platform/secrets/one-time-tokens.ts'

import type { CountedAttempt } from './credentials.ts'

/** Seconds between a proof and the form that completes the sign-in. */
const lifetime = 60
const purpose = 'signInTicket'

const cookie = ({ baseUrl }: Config) => (baseUrl.startsWith('https:') ? '__Host-ticket' : 'ticket')
const options = ({ baseUrl }: Config) =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure: baseUrl.startsWith('https:') }) as const

/** The proofs that this account has just given in this browser. */
export interface Ticket {
  accountId: string
  amr: readonly string[]
  /** A code or link that came by mail was used. */
  addressProof?: AddressProof | undefined
  /** A link proved it, which may have been passed on: enough to sign in, and no fresh proof. */
  isOfEarlier?: boolean | undefined
  /** The account's epoch at the time of the proof: a later password change invalidates the ticket. */
  authEpoch: number
}

/** A ticket that this browser presented. The statement that signs the person in consumes it. */
export interface PresentedTicket extends Ticket {
  use: TokenUse
}

/**
 * Gives this browser a ticket, so that the form that completes the sign-in need not repeat the checks.
 *
 * @param counted the attempt that earned it, which the same statement settles
 */
export async function issueTicket(
  { db, config, limits, now }: { db: Db; config: Config; limits: Limits; now: Date },
  reply: FastifyReply,
  { accountId, amr, addressProof, isOfEarlier = false, authEpoch }: Ticket,
  counted?: CountedAttempt,
): Promise<void> {
  const expiresAt = new Date(now.getTime() + lifetime * 1000)
  const data = { amr: [...amr], authEpoch, isOfEarlier, ...(addressProof ? { addressProof } : {}) }
  const alongside = counted && limits.settlement(counted, now)
  const token = await issueToken(db, { purpose, subject: accountId, now, expiresAt, data, alongside })
  if (counted) counted.settled = true
  reply.setCookie(cookie(config), token, { ...options(config), maxAge: lifetime })
}

/**
 * Reads this browser's ticket and clears the cookie. If the request fails with 503 the response does not clear it, so
 * the browser can use the ticket again.
 */
export async function takeTicket(
  { db, config, now }: { db: Db; config: Config; now: Date },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<PresentedTicket | undefined> {
  const token = request.cookies[cookie(config)]
  if (!token) return undefined
  reply.clearCookie(cookie(config), options(config))
  const use = { purpose, token, now }
  const open = await peekToken(db, use)
  if (!open) return undefined
  const { amr, authEpoch, addressProof, isOfEarlier } = open.data
  return {
    accountId: open.subject,
    amr: Array.isArray(amr) ? amr.map(String) : [],
    addressProof: addressProof === 'mailedCode' ? addressProof : undefined,
    isOfEarlier: isOfEarlier === true,
    authEpoch: Number(authEpoch),
    use,
  }
}
