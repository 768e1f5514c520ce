import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto'

const nonceLength = 12
const tagLength = 16

/** Decryption failed: the value was changed, moved to another row, or encrypted with another key. */
export class UnsealError extends Error {
  override readonly name = 'Unsealable'
}

/** The additional authenticated data (AAD) of a value: where it belongs. Decryption fails with any other. */
export type AssociatedData = readonly string[]

const encodeAad = (aad: AssociatedData) => Buffer.from(JSON.stringify(aad), 'utf8')

/**
 * AES-256-GCM with a random nonce: nonce, ciphertext, tag. The AAD is authenticated but not stored.
 *
 * @param key 32 bytes
 */
export function encrypt(key: Buffer | KeyObject, aad: AssociatedData, plain: Buffer): Buffer {
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength }).setAAD(encodeAad(aad))
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

/**
 * Decrypts the output of `encrypt`.
 *
 * @throws UnsealError for another key, other AAD, or a changed byte
 */
export function decrypt(key: Buffer | KeyObject, aad: AssociatedData, sealed: Buffer): Buffer {
  if (sealed.length < nonceLength + tagLength) throw new UnsealError('too short')
  const tagAt = sealed.length - tagLength
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceLength), { authTagLength: tagLength })
  decipher.setAAD(encodeAad(aad)).setAuthTag(sealed.subarray(tagAt))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(nonceLength, tagAt)), decipher.final()])
  } catch {
    throw new UnsealError('wrong key, wrong associated data, or changed value')
  }
}
