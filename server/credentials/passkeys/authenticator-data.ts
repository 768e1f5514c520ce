import type { NewCredential } from '#contract/passkeys/credentials.ts'
import { readCbor } from './cbor.ts'

/** What an authenticator says (WebAuthn 3, 6.1). What extensions say after it is not read. */
export interface AuthenticatorData {
  rpIdHash: Buffer
  present: boolean
  verified: boolean
  backupEligible: boolean
  backedUp: boolean
  /** 0 for keys that do not count. */
  counter: number
}

/** @throws RangeError for fewer bytes than it has */
export function readAuthenticatorData(bytes: Buffer): AuthenticatorData {
  const flags = bytes.readUInt8(32)
  return {
    rpIdHash: bytes.subarray(0, 32),
    present: (flags & 0x01) > 0,
    verified: (flags & 0x04) > 0,
    backupEligible: (flags & 0x08) > 0,
    backedUp: (flags & 0x10) > 0,
    counter: bytes.readUInt32BE(33),
  }
}

/** A new key, as its authenticator tells of it. */
export interface NewKeyData extends AuthenticatorData {
  aaguid: string
  credentialId: Buffer
  /** In COSE form. */
  publicKey: Buffer
}

/**
 * Reads a new key. Which maker vouches for it, and in which format, is not read: nobody asked, and checking it would mean to fetch
 * what a stranger's certificate names.
 *
 * @throws Error for anything that is not a new key
 */
export function readNewKey({ response }: NewCredential): NewKeyData {
  const { value } = readCbor(Buffer.from(response.attestationObject, 'base64url'))
  const bytes = value instanceof Map ? value.get('authData') : undefined
  if (!Buffer.isBuffer(bytes)) throw new Error('there is no authenticator data')
  const data = readAuthenticatorData(bytes)
  const hasKey = (bytes.readUInt8(32) & 0x40) > 0
  const length = bytes.readUInt16BE(53)
  const publicKeyAt = 55 + length
  if (!hasKey || length === 0 || length > 1023) throw new Error('there is no key')
  const { end } = readCbor(bytes, publicKeyAt)
  const hasExtensions = (bytes.readUInt8(32) & 0x80) > 0
  if (!hasExtensions && end !== bytes.length) throw new Error('something follows the key')
  return {
    ...data,
    aaguid: bytes.toString('hex', 37, 53).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
    credentialId: bytes.subarray(55, publicKeyAt),
    publicKey: bytes.subarray(publicKeyAt, end),
  }
}
