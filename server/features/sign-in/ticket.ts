import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/platform/database.ts'
import { issue, type OneUse, peek } from '#server/platform/one-time.ts'

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

/** A ticket that this browser has brought. It is used up in the statement that signs the person in, or not at all. */
export interface BroughtTicket extends Ticket {
  use: OneUse
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

/**
 * The ticket of this browser, if it has one; only the browser that was given it knows its token. It is taken back from
 * the browser, which keeps it where nothing could be decided.
 */
export async function takeTicket(
  { db, config, now }: { db: Db; config: Config; now: Date },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<BroughtTicket | undefined> {
  const token = request.cookies[cookie(config)]
  if (!token) return undefined
  reply.clearCookie(cookie(config), options(config))
  const use = { purpose, token, now }
  const open = await peek(db, use)
  if (!open) return undefined
  const { amr, authEpoch } = open.data
  return { accountId: open.subject, amr: Array.isArray(amr) ? amr.map(String) : [], authEpoch: Number(authEpoch), use }
}
