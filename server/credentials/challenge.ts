import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type SecondFactorKind, secondFactorKinds } from '#contract/second-factors.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/platform/database/database.ts'
import { consumeToken, issueToken, peekToken } from '#server/platform/secrets/one-time-tokens.ts'
import { generateToken } from '#server/platform/secrets/tokens.ts'

const purpose = 'secondFactor'
const cookie = ({ baseUrl }: Config) => (baseUrl.startsWith('https:') ? '__Host-challenge' : 'challenge')
const options = ({ baseUrl }: Config) =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure: baseUrl.startsWith('https:') }) as const

/**
 * A sign-in between its password and its code: the password was accepted for this account, and a code has been sent. The
 * challenge is bound to this browser by a token, so the code is useless in any other.
 */
export interface Challenge {
  accountId: string
  email: string
  /** The account's epoch when the password was accepted. */
  authEpoch: number
  /** The mail or SMS that carries the code, and whose the code is; null where the person has the factor at hand. */
  messageId: string | null
  codeId: string | null
  /** What is asked for: how the code was sent, or what the person has at hand; null for what stands in for it. */
  by: SecondFactorKind | null
  /** True if this is the password that was accepted. Compares a keyed hash instead of repeating the slow password hash. */
  provesPassword(password: string): boolean
}

interface NewChallenge {
  accountId: string
  email: string
  authEpoch: number
  messageId: string | null
  codeId: string | null
  by: SecondFactorKind | null
  password: string
  expiresAt: Date
}

interface Context {
  config: Config
  now: Date
  http: { request: FastifyRequest; reply: FastifyReply }
}

// The key is stored only in the browser, so the proof is useless to someone who reads the table.
const proofOf = (key: string, password: string) => createHmac('sha256', key).update(password.normalize('NFC')).digest()

/** Reads the browser's cookie: the token of the challenge, and the key of the password proof. */
function presented({ config, http }: Context): { token: string; key: string } | undefined {
  const [token, key] = http.request.cookies[cookie(config)]?.split('.') ?? []
  return token && key ? { token, key } : undefined
}

/**
 * Gives this browser a challenge in place of its earlier one. Those of other browsers go on: somebody with the password could
 * otherwise end the owner's at will. Run it in the transaction that issues the code.
 */
export async function beginChallenge(db: Db, { config, now, http }: Context, challenge: NewChallenge): Promise<void> {
  const { accountId, expiresAt, password, ...rest } = challenge
  const key = generateToken()
  const data = { ...rest, passwordProof: proofOf(key, password).toString('base64url') }
  const earlier = presented({ config, now, http })
  if (earlier) await consumeToken(db, { purpose, token: earlier.token, now })
  const token = await issueToken(db, { purpose, subject: accountId, now, expiresAt, data })
  const maxAge = Math.round((expiresAt.getTime() - now.getTime()) / 1000)
  http.reply.setCookie(cookie(config), `${token}.${key}`, { ...options(config), maxAge })
}

/** Finds this browser's open challenge. */
export async function findChallenge(db: Db, context: Context): Promise<Challenge | undefined> {
  const given = presented(context)
  const open = given && (await peekToken(db, { purpose, token: given.token, now: context.now }))
  if (!open) return undefined
  const { email, authEpoch, messageId, codeId, by, passwordProof } = open.data
  const stored = Buffer.from(String(passwordProof), 'base64url')
  return {
    accountId: open.subject,
    email: String(email),
    authEpoch: Number(authEpoch),
    messageId: messageId === null ? null : String(messageId),
    codeId: codeId === null ? null : String(codeId),
    by: secondFactorKinds.find((kind) => kind === by) ?? null,
    provesPassword(password) {
      const proof = proofOf(given.key, password)
      return proof.length === stored.length && timingSafeEqual(proof, stored)
    },
  }
}

/** Ends this browser's challenge after a correct code. */
export async function endChallenge(db: Db, context: Context): Promise<void> {
  const given = presented(context)
  context.http.reply.clearCookie(cookie(context.config), options(context.config))
  if (given) await consumeToken(db, { purpose, token: given.token, now: context.now })
}
