import { constants, createDecipheriv, type KeyObject, privateDecrypt, randomBytes } from 'node:crypto'
import { contentMethods, keyMethods } from './encryption-algorithms.ts'
import { Refusal } from './refusal.ts'
import { childElements, childElementsNamed, getAttribute, getText, onlyChild, type XmlElement } from './xml.ts'

const ivLength = 12
const tagLength = 16
const blockLength = 16
const wholeElement = 'http://www.w3.org/2001/04/xmlenc#Element'

/** Which keys decrypt, and what. */
export interface Decryption {
  keys: readonly KeyObject[]
  /** AES-CBC too: only for what stands in a verified signature, so that nobody but the signer can have changed it. */
  cbc: boolean
}

/**
 * Decrypts an encrypted assertion (XML Encryption 1.1): AES-GCM, or AES-CBC where that is safe, with a key that is encrypted for
 * us by RSA-OAEP. Anyone who knows our certificate can encrypt, so nothing is trusted before its signature is verified.
 *
 * @throws Refusal the same one for every fault of keys or content, so that the answers are no oracle
 */
export function decryptAssertion(encrypted: XmlElement, decryption: Decryption): Buffer {
  try {
    return decrypt(encrypted, decryption)
  } catch (error) {
    if (error instanceof Refusal && error.failure !== 'encrypted') throw undecryptable(error)
    throw error
  }
}

function decrypt(encrypted: XmlElement, { keys, cbc }: Decryption): Buffer {
  const { data, encryptedKey } = partsOf(encrypted)
  const method = contentMethods.get(algorithmOf(data))
  const keyMethod = keyMethods.get(algorithmOf(encryptedKey))
  const oaepHash = keyMethod?.(onlyChild(encryptedKey, 'encryption', 'EncryptionMethod'))
  if (!method || (method.mode === 'cbc' && !cbc) || !oaepHash)
    throw new Refusal('the assertion is encrypted by an algorithm that is not allowed', encryptedFailure)
  const contentKey = unwrap(cipherOf(encryptedKey), { keys, oaepHash, keySize: method.keySize })
  return method.mode === 'gcm' ? decryptGcm(cipherOf(data), contentKey) : decryptCbc(cipherOf(data), contentKey)
}

const encryptedFailure = { failure: 'encrypted' } as const
const undecryptable = (cause?: unknown) =>
  new Refusal('the assertion could not be decrypted: it is encrypted for another key, or was changed', {
    ...encryptedFailure,
    cause,
  })

/** The content and its key, which stands in it (`KeyInfo`) or beside it. There is one key, because there is one reader. */
function partsOf(encrypted: XmlElement): { data: XmlElement; encryptedKey: XmlElement } {
  const data = onlyChild(encrypted, 'encryption', 'EncryptedData')
  const inside = childElementsNamed(data, 'signature', 'KeyInfo').flatMap((info) =>
    childElementsNamed(info, 'encryption', 'EncryptedKey'),
  )
  const beside = childElementsNamed(encrypted, 'encryption', 'EncryptedKey')
  const [encryptedKey, ...more] = [...inside, ...beside]
  const known = childElements(encrypted).length === 1 + beside.length
  const type = getAttribute(data, 'Type') ?? wholeElement
  if (!encryptedKey || more.length > 0 || !known || type !== wholeElement) throw undecryptable()
  return { data, encryptedKey }
}

const algorithmOf = (of: XmlElement) => getAttribute(onlyChild(of, 'encryption', 'EncryptionMethod'), 'Algorithm') ?? ''

/** Only values in the message itself: a reference would be an address to fetch. */
function cipherOf(of: XmlElement): Buffer {
  const data = onlyChild(of, 'encryption', 'CipherData')
  const base64 = getText(onlyChild(data, 'encryption', 'CipherValue')).replaceAll(/\s/g, '')
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.toString('base64') !== base64) throw undecryptable()
  return bytes
}

interface Wrapping {
  keys: readonly KeyObject[]
  oaepHash: string
  keySize: number
}

/** The key of the content. An invalid one is replaced by a random key, so that only the content fails to decrypt. */
function unwrap(wrapped: Buffer, { keys, oaepHash, keySize }: Wrapping): Buffer {
  let contentKey = randomBytes(keySize)
  for (const key of keys)
    try {
      const found = privateDecrypt({ key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash }, wrapped)
      if (found.length === keySize) contentKey = found
    } catch {
      // Encrypted for another key, or changed.
    }
  return contentKey
}

function decryptGcm(sealed: Buffer, key: Buffer): Buffer {
  if (sealed.length < ivLength + tagLength) throw undecryptable()
  const iv = sealed.subarray(0, ivLength)
  const decipher = createDecipheriv(`aes-${key.length === 16 ? 128 : 256}-gcm`, key, iv, { authTagLength: tagLength })
  decipher.setAuthTag(sealed.subarray(-tagLength))
  const content = decipher.update(sealed.subarray(ivLength, -tagLength))
  try {
    return Buffer.concat([content, decipher.final()])
  } catch (cause) {
    throw undecryptable(cause)
  }
}

/** The padding of XML Encryption: the last byte says how many bytes there are, the others may be anything (5.2). */
function decryptCbc(sealed: Buffer, key: Buffer): Buffer {
  if (sealed.length < 2 * blockLength || sealed.length % blockLength !== 0) throw undecryptable()
  const iv = sealed.subarray(0, blockLength)
  const decipher = createDecipheriv(`aes-${8 * key.length}-cbc`, key, iv).setAutoPadding(false)
  const content = Buffer.concat([decipher.update(sealed.subarray(blockLength)), decipher.final()])
  const padding = content.at(-1) ?? 0
  if (padding < 1 || padding > blockLength) throw undecryptable()
  return content.subarray(0, -padding)
}
