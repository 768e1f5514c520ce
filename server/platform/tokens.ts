import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import type { Key, Keys } from './keys.ts'

/** A new secret for a link or a cookie: 256 random bits, base64url, 43 characters. */
export const randomToken = (): string => randomBytes(32).toString('base64url')

/** What is stored of a random token: SHA-256. The token has 256 bits, so nothing slower is needed. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Six digits, all equally likely, `000000` among them. */
export const randomCode = (): string => randomInt(1_000_000).toString().padStart(6, '0')

/** What a code opens: the same digits for another purpose or another person are another code. */
export interface CodeOwner {
  purpose: string
  subject: string
}

const codeHash = (key: Key, { purpose, subject }: CodeOwner, code: string) =>
  createHmac('sha256', key.secret)
    .update(JSON.stringify([purpose, subject, code]))
    .digest()

/** What is stored of a code: HMAC with a server key, because a million hashes are soon tried. */
export const hashCode = (keys: Keys, owner: CodeOwner, code: string): Buffer =>
  codeHash(keys.current('codes'), owner, code)

/** Every hash that a code may be stored under while keys rotate. */
export const codeHashes = (keys: Keys, owner: CodeOwner, code: string): Buffer[] =>
  keys.all('codes').map((key) => codeHash(key, owner, code))

/** What a derived token stands for. Raising the version makes every earlier token worthless. */
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
 * A token that can be shown again because nothing of it is stored: the row's id and an HMAC over id, version and
 * purpose (security.md, Decided 4). URL-safe, 76 characters.
 */
export const derivedToken = (keys: Keys, what: DerivedToken): string =>
  `${what.id.replaceAll('-', '').toLowerCase()}.${signature(keys.current('tokens'), what).toString('base64url')}`

/** The row that a derived token claims to be for, to be loaded and then checked; undefined when it is no such token. */
export function derivedTokenId(token: string): string | undefined {
  const id = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})\.[A-Za-z0-9_-]{43}$/.exec(token)
  return id?.slice(1).join('-')
}

/** Is this the token of this row, purpose and version? In constant time; for a row that is missing, ask with any id. */
export function isDerivedToken(keys: Keys, what: DerivedToken, token: string): boolean {
  const given = Buffer.from(token.slice(token.indexOf('.') + 1), 'base64url')
  const sameRow = derivedTokenId(token) === what.id.toLowerCase()
  let genuine = false
  for (const key of keys.all('tokens')) {
    const expected = signature(key, what)
    // Every key is tried, so that the time does not tell which one it was.
    if (given.length === expected.length && timingSafeEqual(given, expected)) genuine = true
  }
  return genuine && sameRow
}
