import { parse, stringify } from 'uuid'
import { decrypt, encrypt, Unsealable } from './envelope.ts'
import type { SymmetricPurpose } from './key-purposes.ts'
import type { Keys } from './keys.ts'

/** The one cell that a sealed value belongs to; copied into another it does not open. */
export interface Cell {
  table: string
  column: string
  row: string
}

const version = 1
const headLength = 17
const place = ({ table, column, row }: Cell) => [table, column, row]

/** Seals a text or bytes with the purpose's current key: version byte, key id, nonce, ciphertext, tag. */
export function seal(keys: Keys, purpose: SymmetricPurpose, cell: Cell, plain: string | Buffer): Buffer {
  const { id, secret } = keys.current(purpose)
  return Buffer.concat([Buffer.of(version), parse(id), encrypt(secret, place(cell), Buffer.from(plain))])
}

/**
 * Opens what `seal` made.
 *
 * @throws Unsealable when it was changed, belongs to another cell, or its key has retired
 */
export async function open(keys: Keys, cell: Cell, sealed: Buffer): Promise<Buffer> {
  const key = await keys.find(sealedWith(sealed))
  if (!key) throw new Unsealable('the key is unknown or has retired')
  return decrypt(key.secret, place(cell), sealed.subarray(headLength))
}

/** The id of the key that something is sealed with. */
export function sealedWith(sealed: Buffer): string {
  if (sealed.length < headLength || sealed[0] !== version) throw new Unsealable('not a sealed value')
  try {
    return stringify(sealed.subarray(1, headLength))
  } catch {
    throw new Unsealable('names no key')
  }
}
