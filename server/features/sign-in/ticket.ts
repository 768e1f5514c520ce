import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/platform/database.ts'
import { consume, issue } from '#server/platform/one-time.ts'

/** Seconds between a proof and the form that completes the sign-in. */
const lifetime = 60
const purpose = 'signInTicket'

const cookie = ({ baseUrl }: Config) => (baseUrl.startsWith('https:') ? '__Secure-ticket' : 'ticket')
const options = ({ baseUrl }: Config) =>
  ({ path: '/interaction', httpOnly: true, sameSite: 'lax', secure: baseUrl.startsWith('https:') }) as const

/** What a ticket stands for: this account proved these things a moment ago, in this browser. */
export interface Ticket {
  accountId: string
  amr: string[]
  /** The account's when it was proven: a password that was changed since takes the ticket along. */
  authEpoch: number
}

/** Gives this browser a ticket, so that the form that completes the sign-in need not prove everything again. */
export async function giveTicket(
  { db, config, now }: { db: Db; config: Config; now: Date },
  reply: FastifyReply,
  { accountId, amr, authEpoch }: Ticket,
): Promise<void> {
  const expiresAt = new Date(now.getTime() + lifetime * 1000)
  const token = await issue(db, { purpose, subject: accountId, now, expiresAt, data: { amr, authEpoch } })
  reply.setCookie(cookie(config), token, { ...options(config), maxAge: lifetime })
}

/** Uses the ticket of this browser up, if it has one. Only the browser that was given it knows its token. */
export async function redeemTicket(
  { db, config, now }: { db: Db; config: Config; now: Date },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Ticket | undefined> {
  const token = request.cookies[cookie(config)]
  if (!token) return undefined
  reply.clearCookie(cookie(config), options(config))
  const used = await consume(db, { purpose, token, now })
  if (!used) return undefined
  const { amr, authEpoch } = used.data
  return { accountId: used.subject, amr: Array.isArray(amr) ? amr.map(String) : [], authEpoch: Number(authEpoch) }
}
