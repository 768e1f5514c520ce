import { createHash, createPublicKey, type JsonWebKey } from 'node:crypto'
import { CompactSign, compactVerify, importJWK, type JWK } from 'jose'
import type { Keys } from '../secrets/keys.ts'

/** What may be missing from the log because of its age; signed, so that only the portal can say so. */
export interface Checkpoint {
  /** The last row that may be missing from the chain itself, and its hash in hex. */
  startSeq: number
  startHash: string
  /** By family: the events of before this moment may be missing; microseconds since 1970, as text. */
  removedBefore: Record<string, string>
}

/** A statement of the portal with its signature, for those who check it elsewhere. */
export interface SignedStatement {
  /** JWS, RS256. */
  signed: string
  key: JsonWebKey
}

const signingKeys = (keys: Keys) => keys.signing('auditSigning').filter(({ alg }) => alg === 'RS256')
const publicPart = ({ kty, n, e, kid }: JWK) => ({ kty, n, e, kid }) as JsonWebKey

/** Signs with the current key. RSA, because a check of it needs no library. */
export async function signStatement(keys: Keys, statement: object): Promise<string> {
  const [key] = signingKeys(keys)
  if (!key) throw new Error('no current key for auditSigning')
  return new CompactSign(Buffer.from(JSON.stringify(statement)))
    .setProtectedHeader({ alg: 'RS256', kid: key.kid })
    .sign(await importJWK(key as JWK))
}

/** Reads a statement, or nothing where it is not signed with a key of this portal. */
export async function openStatement(keys: Keys, signed: string): Promise<(SignedStatement & object) | undefined> {
  for (const key of signingKeys(keys)) {
    const verified = await compactVerify(signed, createPublicKey({ key: publicPart(key as JWK), format: 'jwk' })).catch(
      () => undefined,
    )
    if (verified)
      return { ...JSON.parse(Buffer.from(verified.payload).toString()), signed, key: publicPart(key as JWK) }
  }
  return undefined
}

/** Reads a checkpoint, or nothing where the portal did not sign it as one. */
export async function openCheckpoint(keys: Keys, signed: string): Promise<(Checkpoint & SignedStatement) | undefined> {
  const opened = await openStatement(keys, signed)
  return opened && 'startSeq' in opened ? (opened as Checkpoint & SignedStatement) : undefined
}

/** RFC 7638 with SHA-256, in hex: what an inspector compares. */
export const fingerprintOf = ({ kty, n, e }: JsonWebKey): string =>
  createHash('sha256').update(JSON.stringify({ e, kty, n })).digest('hex')

/** The fingerprints of the keys that may sign checkpoints; the first one does. */
export const checkpointFingerprints = (keys: Keys): string[] =>
  signingKeys(keys).map((key) => fingerprintOf(key as JsonWebKey))
