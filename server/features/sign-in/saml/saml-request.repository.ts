import type { Db } from '#server/platform/database.ts'
import { consume, issue, rememberOnce } from '#server/platform/one-time.ts'
import { hashToken } from '#server/platform/tokens.ts'

const purpose = 'samlRequest'
const lifetime = 10 * 60_000

/** What was asked of a company, and in which sign-in. */
export interface SamlRequest {
  samlConfigId: number
  /** Its id in the XML. */
  requestId: string
  /** The interaction that it belongs to. */
  uid: string
  /** The address that the person gave. */
  email: string
  /** The person had to prove anew who it is. */
  anew: boolean
}

/** Remembers a request for ten minutes. @returns the token that names it: the relay state, 43 characters */
export const rememberRequest = (db: Db, now: Date, { samlConfigId, ...data }: SamlRequest): Promise<string> =>
  issue(db, {
    purpose,
    subject: String(samlConfigId),
    now,
    expiresAt: new Date(now.getTime() + lifetime),
    data: { ...data },
  })

export interface KnownRequest extends SamlRequest {
  token: string
  /** Neither answered nor too old. */
  isOpen: boolean
  askedAt: Date
}

/** A request that was made, open or over: an answer that comes too late still leads back to its sign-in. */
export async function findRequest(db: Db, now: Date, token: string): Promise<KnownRequest | undefined> {
  const row = await db
    .selectFrom('oneTimeThings')
    .select(['subject', 'data', 'createdAt', 'expiresAt', 'consumedAt'])
    .where('purpose', '=', purpose)
    .where('tokenHash', '=', hashToken(token))
    .executeTakeFirst()
  if (!row) return undefined
  const { requestId, uid, email, anew } = row.data as Omit<SamlRequest, 'samlConfigId'>
  return {
    token,
    samlConfigId: Number(row.subject),
    requestId,
    uid,
    email,
    anew,
    isOpen: row.consumedAt === null && row.expiresAt > now,
    askedAt: row.createdAt,
  }
}

/** Uses a request up. Of any number of answers exactly one gets it. */
export const answerRequest = async (db: Db, now: Date, token: string): Promise<boolean> =>
  (await consume(db, { purpose, token, now })) !== undefined

const refused = 'samlRefused'

/**
 * Remembers that a company sent somebody who may not in. It would send the same person again, unasked: in this sign-in
 * it has to ask from then on.
 */
export const rememberRefused = (db: Db, now: Date, uid: string) =>
  rememberOnce(db, { purpose: refused, subject: uid, token: uid, now, expiresAt: new Date(now.getTime() + 3600_000) })

export const wasRefused = async (db: Db, uid: string): Promise<boolean> =>
  (await db
    .selectFrom('oneTimeThings')
    .select('subject')
    .where('purpose', '=', refused)
    .where('tokenHash', '=', hashToken(uid))
    .executeTakeFirst()) !== undefined
