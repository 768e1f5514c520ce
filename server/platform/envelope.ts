import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto'

const nonceLength = 12
const tagLength = 16

/** Thrown when something sealed was changed, moved to another place, or sealed by another key. */
export class Unsealable extends Error {
  override readonly name = 'Unsealable'
}

/** Where a sealed value belongs; opened anywhere else it fails. Written so that no two places read the same. */
export type Place = readonly string[]

const bound = (place: Place) => Buffer.from(JSON.stringify(place), 'utf8')

/**
 * AES-256-GCM with a random nonce: nonce, ciphertext, tag. The place is authenticated but not stored.
 *
 * @param key 32 bytes
 */
export function encrypt(key: Buffer | KeyObject, place: Place, plain: Buffer): Buffer {
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength }).setAAD(bound(place))
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

/**
 * Opens what `encrypt` made.
 *
 * @throws Unsealable for another key, another place, or a changed byte
 */
export function decrypt(key: Buffer | KeyObject, place: Place, sealed: Buffer): Buffer {
  if (sealed.length < nonceLength + tagLength) throw new Unsealable('too short')
  const tagAt = sealed.length - tagLength
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceLength), { authTagLength: tagLength })
  decipher.setAAD(bound(place)).setAuthTag(sealed.subarray(tagAt))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(nonceLength, tagAt)), decipher.final()])
  } catch {
    throw new Unsealable('wrong key, wrong place, or changed')
  }
}
