import type { Db } from '#server/platform/database/database.ts'
import { consumeToken, issueToken, recordOnce } from '#server/platform/secrets/one-time-tokens.ts'
import { hashToken } from '#server/platform/secrets/tokens.ts'
import { requestIdOf } from '#server/saml/authn-request.ts'

/** An answer of one kind never matches a request of the other. */
export type RequestPurpose = 'samlRequest' | 'companyOidcRequest'
const lifetime = 10 * 60_000

/** A request to a company, and the sign-in that it belongs to. */
export interface CompanyRequest {
  samlConfigId: number
  /** OpenID Connect: the nonce. */
  requestId?: string
  /** The interaction that it belongs to. */
  uid: string
  /** The address that the person gave. */
  email: string
  /** The person had to authenticate again, even with a session at the identity provider. */
  forceAuthn: boolean
  /** OpenID Connect: the sealed verifier of PKCE. */
  verifier?: string | undefined
}

/** Remembers a request for ten minutes. @returns the token that names it: the relay state, 43 characters */
export const rememberRequest = (
  db: Db,
  now: Date,
  { samlConfigId, ...data }: CompanyRequest,
  purpose: RequestPurpose = 'samlRequest',
): Promise<string> =>
  issueToken(db, {
    purpose,
    subject: String(samlConfigId),
    now,
    expiresAt: new Date(now.getTime() + lifetime),
    data,
  })

export interface KnownRequest extends CompanyRequest {
  token: string
  /** The ID attribute of the AuthnRequest; the nonce with OpenID Connect. */
  requestId: string
  purpose: RequestPurpose
  /** Neither answered nor expired. */
  isOpen: boolean
  askedAt: Date
}

/** Finds a request, open or over: a late response still leads back to its sign-in. */
export async function findRequest(
  db: Db,
  now: Date,
  token: string,
  purpose: RequestPurpose = 'samlRequest',
): Promise<KnownRequest | undefined> {
  const row = await db
    .selectFrom('oneTimeThings')
    .select(['subject', 'data', 'createdAt', 'expiresAt', 'consumedAt'])
    .where('purpose', '=', purpose)
    .where('tokenHash', '=', hashToken(token))
    .executeTakeFirst()
  if (!row) return undefined
  return {
    token,
    purpose,
    samlConfigId: Number(row.subject),
    requestId: requestIdOf(token),
    ...(row.data as unknown as Omit<CompanyRequest, 'samlConfigId'>),
    isOpen: row.consumedAt === null && row.expiresAt > now,
    askedAt: row.createdAt,
  }
}

/** Uses a request up. @returns true for exactly one of several concurrent responses */
export const consumeRequest = async (
  db: Db,
  now: Date,
  { purpose, token }: Pick<KnownRequest, 'purpose' | 'token'>,
): Promise<boolean> => (await consumeToken(db, { purpose, token, now })) !== undefined

const refused = 'samlRefused'

/**
 * Remembers that a company identified a person who may not sign in. Its session would identify the same person again, so
 * further requests of this sign-in force a new authentication.
 */
export const rememberRefusal = (db: Db, now: Date, uid: string) =>
  recordOnce(db, { purpose: refused, subject: uid, token: uid, now, expiresAt: new Date(now.getTime() + 3600_000) })

export const wasRefused = async (db: Db, uid: string): Promise<boolean> =>
  (await db
    .selectFrom('oneTimeThings')
    .select('subject')
    .where('purpose', '=', refused)
    .where('tokenHash', '=', hashToken(uid))
    .executeTakeFirst()) !== undefined
