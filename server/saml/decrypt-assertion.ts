import { constants, createDecipheriv, type KeyObject, privateDecrypt, randomBytes } from 'node:crypto'
import { contentMethods, keyMethods } from './encryption-algorithms.ts'
import { Refusal } from './refusal.ts'
import { childElements, childElementsNamed, getAttribute, getText, onlyChild, type XmlElement } from './xml.ts'

const ivLength = 12
const tagLength = 16
const wholeElement = 'http://www.w3.org/2001/04/xmlenc#Element'

/**
 * Decrypts an encrypted assertion (XML Encryption 1.1): AES-GCM, with a key that is encrypted for us by RSA-OAEP. Anyone who
 * knows our certificate can encrypt, so nothing is trusted before its signature is verified.
 *
 * @throws Refusal the same one for every fault of keys or content, so that the answers are no oracle
 */
export function decryptAssertion(encrypted: XmlElement, keys: readonly KeyObject[]): Buffer {
  try {
    return decrypt(encrypted, keys)
  } catch (error) {
    if (error instanceof Refusal && error.failure !== 'encrypted') throw undecryptable(error)
    throw error
  }
}

function decrypt(encrypted: XmlElement, keys: readonly KeyObject[]): Buffer {
  const { data, encryptedKey } = partsOf(encrypted)
  const keySize = contentMethods.get(algorithmOf(data))
  const keyMethod = keyMethods.get(algorithmOf(encryptedKey))
  const oaepHash = keyMethod?.(onlyChild(encryptedKey, 'encryption', 'EncryptionMethod'))
  if (!keySize || !oaepHash)
    throw new Refusal('the assertion is encrypted by an algorithm that is not allowed', encryptedFailure)
  const contentKey = unwrap(cipherOf(encryptedKey), { keys, oaepHash, keySize })
  return decryptContent(cipherOf(data), contentKey)
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

function decryptContent(sealed: Buffer, key: Buffer): Buffer {
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
