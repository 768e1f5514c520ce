import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import type { Key, Keys } from './keys.ts'

/** Generates a secret for a link or a cookie: 256 random bits, base64url, 43 characters. */
export const generateToken = (): string => randomBytes(32).toString('base64url')

/** The stored hash of a random token: SHA-256. With 256 random bits no slow hash is needed. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Generates six uniformly random digits, including `000000`. */
export const generateCode = (): string => randomInt(1_000_000).toString().padStart(6, '0')

/** Binds a code to a purpose and a subject: the same digits for another one have another hash. */
export interface CodeOwner {
  purpose: string
  subject: string
}

const codeHash = (key: Key, { purpose, subject }: CodeOwner, code: string) =>
  createHmac('sha256', key.secret)
    .update(JSON.stringify([purpose, subject, code]))
    .digest()

/** The stored hash of a code: HMAC with a server key, because a plain hash of six digits is easy to brute-force. */
export const hashCode = (keys: Keys, owner: CodeOwner, code: string): Buffer =>
  codeHash(keys.current('codes'), owner, code)

/** All hashes of a code while keys rotate. */
export const allCodeHashes = (keys: Keys, owner: CodeOwner, code: string): Buffer[] =>
  keys.all('codes').map((key) => codeHash(key, owner, code))

/** What a derived token stands for. Raising the version revokes every earlier token. */
export interface DerivedToken {
  purpose: string
  /** UUID of the row. */
  id: string
  version: number
}

const signature = (key: Key, { purpose, id, version }: DerivedToken) =>
  createHmac('sha256', key.secret)
    .update(JSON.stringify([purpose, id.toLowerCase(), version]))
    .digest()

/**
 * Derives a token from a row: its id and an HMAC over id, version and purpose (security 46). It can be shown again without
 * being stored. URL-safe, 76 characters.
 */
export const deriveToken = (keys: Keys, what: DerivedToken): string =>
  `${what.id.replaceAll('-', '').toLowerCase()}.${signature(keys.current('tokens'), what).toString('base64url')}`

/** The row id that a derived token claims, to be verified after loading the row; undefined for an invalid format. */
export function parseDerivedTokenId(token: string): string | undefined {
  const id = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})\.[A-Za-z0-9_-]{43}$/.exec(token)
  return id?.slice(1).join('-')
}

/** Verifies a derived token in constant time; for a missing row, call it with any id. */
export function verifyDerivedToken(keys: Keys, what: DerivedToken, token: string): boolean {
  const given = Buffer.from(token.slice(token.indexOf('.') + 1), 'base64url')
  const sameRow = parseDerivedTokenId(token) === what.id.toLowerCase()
  let genuine = false
  for (const key of keys.all('tokens')) {
    const expected = signature(key, what)
    // All keys are tried, so that the timing does not reveal which one matched.
    if (given.length === expected.length && timingSafeEqual(given, expected)) genuine = true
  }
  return genuine && sameRow
}
