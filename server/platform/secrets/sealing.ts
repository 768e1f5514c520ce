import { parse, stringify } from 'uuid'
import { decrypt, encrypt, UnsealError } from './envelope.ts'
import type { SymmetricPurpose } from './key-purposes.ts'
import type { Keys } from './keys.ts'

/** The table cell that an encrypted value belongs to; copied into another cell it cannot be decrypted. */
export interface Cell {
  table: string
  column: string
  row: string
}

const version = 1
const headerLength = 17
const aadOf = ({ table, column, row }: Cell) => [table, column, row]

/** Encrypts a text or bytes with the current key of a purpose: version byte, key id, nonce, ciphertext, tag. */
export function seal(keys: Keys, purpose: SymmetricPurpose, cell: Cell, plain: string | Buffer): Buffer {
  const { id, secret } = keys.current(purpose)
  return Buffer.concat([Buffer.of(version), parse(id), encrypt(secret, aadOf(cell), Buffer.from(plain))])
}

/**
 * Decrypts the output of `seal`.
 *
 * @throws UnsealError when it was changed, belongs to another cell, or its key has retired
 */
export async function unseal(keys: Keys, cell: Cell, sealed: Buffer): Promise<Buffer> {
  const key = await keys.find(readKeyId(sealed))
  if (!key) throw new UnsealError('the key is unknown or has retired')
  return decrypt(key.secret, aadOf(cell), sealed.subarray(headerLength))
}

/** Reads the key id of an encrypted value. */
export function readKeyId(sealed: Buffer): string {
  if (sealed.length < headerLength || sealed[0] !== version) throw new UnsealError('not a sealed value')
  try {
    return stringify(sealed.subarray(1, headerLength))
  } catch {
    throw new UnsealError('invalid key id')
  }
}
