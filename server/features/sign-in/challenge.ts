import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/platform/database.ts'
import { consume, issue, peek, revokeAll } from '#server/platform/one-time.ts'
import { randomToken } from '#server/platform/tokens.ts'

const purpose = 'secondFactor'
const cookie = ({ baseUrl }: Config) => (baseUrl.startsWith('https:') ? '__Host-challenge' : 'challenge')
const options = ({ baseUrl }: Config) =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure: baseUrl.startsWith('https:') }) as const

/**
 * A sign-in between its password and its code: this browser's password was accepted for this account, and a code is on
 * its way. The token is the browser's alone, so the code is of no use anywhere else.
 */
export interface Challenge {
  accountId: string
  email: string
  /** The account's when the password was accepted. */
  authEpoch: number
  /** The mail or SMS that carries the code. */
  messageId: string
  /** Is this the password that was accepted? Without the hash, which has been paid once. */
  provesPassword(password: string): boolean
}

interface Begun {
  accountId: string
  email: string
  authEpoch: number
  messageId: string
  password: string
  expiresAt: Date
}

interface Context {
  config: Config
  now: Date
  http: { request: FastifyRequest; reply: FastifyReply }
}

// Keyed with what only the browser keeps: of no use to whoever reads the table.
const proofOf = (key: string, password: string) => createHmac('sha256', key).update(password.normalize('NFC')).digest()

/** What the browser was given: the token of the challenge, and the key of its proof. */
function presented({ config, http }: Context): { token: string; key: string } | undefined {
  const [token, key] = http.request.cookies[cookie(config)]?.split('.') ?? []
  return token && key ? { token, key } : undefined
}

/** Gives this browser a challenge, in place of every earlier one of the account. Run it where the code is issued. */
export async function beginChallenge(db: Db, { config, now, http }: Context, begun: Begun): Promise<void> {
  const { accountId, expiresAt, password, ...rest } = begun
  const key = randomToken()
  const data = { ...rest, passwordProof: proofOf(key, password).toString('base64url') }
  await revokeAll(db, { purpose, subject: accountId }, now)
  const token = await issue(db, { purpose, subject: accountId, now, expiresAt, data })
  const maxAge = Math.round((expiresAt.getTime() - now.getTime()) / 1000)
  http.reply.setCookie(cookie(config), `${token}.${key}`, { ...options(config), maxAge })
}

/** The challenge that this browser has open. */
export async function findChallenge(db: Db, context: Context): Promise<Challenge | undefined> {
  const given = presented(context)
  const open = given && (await peek(db, { purpose, token: given.token, now: context.now }))
  if (!open) return undefined
  const { email, authEpoch, messageId, passwordProof } = open.data
  const stored = Buffer.from(String(passwordProof), 'base64url')
  return {
    accountId: open.subject,
    email: String(email),
    authEpoch: Number(authEpoch),
    messageId: String(messageId),
    provesPassword(password) {
      const proof = proofOf(given.key, password)
      return proof.length === stored.length && timingSafeEqual(proof, stored)
    },
  }
}

/** Ends this browser's challenge, once its code was right. */
export async function endChallenge(db: Db, context: Context): Promise<void> {
  const given = presented(context)
  context.http.reply.clearCookie(cookie(context.config), options(context.config))
  if (given) await consume(db, { purpose, token: given.token, now: context.now })
}
