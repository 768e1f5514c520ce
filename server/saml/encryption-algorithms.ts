import { getAttribute, optionalChild, type XmlElement } from './xml.ts'

const xmlenc = 'http://www.w3.org/2001/04/xmlenc#'
const xmlenc11 = 'http://www.w3.org/2009/xmlenc11#'
const sha1 = 'http://www.w3.org/2000/09/xmldsig#sha1'

/** How content is encrypted. */
export interface ContentMethod {
  /** In bytes. */
  keySize: 16 | 24 | 32
  mode: 'gcm' | 'cbc'
}

/** By the URI of the algorithm. Of CBC what is changed shows in its padding, so it is for signed ciphertexts alone. */
export const contentMethods: ReadonlyMap<string, ContentMethod> = new Map<string, ContentMethod>([
  [`${xmlenc11}aes256-gcm`, { keySize: 32, mode: 'gcm' }],
  [`${xmlenc11}aes128-gcm`, { keySize: 16, mode: 'gcm' }],
  [`${xmlenc}aes256-cbc`, { keySize: 32, mode: 'cbc' }],
  [`${xmlenc}aes192-cbc`, { keySize: 24, mode: 'cbc' }],
  [`${xmlenc}aes128-cbc`, { keySize: 16, mode: 'cbc' }],
])

/**
 * The hash of RSA-OAEP that an `EncryptionMethod` asks for, by the URI of the algorithm; undefined where it is not allowed.
 * RSA 1.5 is missing: its padding is an oracle. OpenSSL uses one hash for both parts of OAEP, as most senders do.
 */
export const keyMethods: ReadonlyMap<string, (method: XmlElement) => 'sha1' | 'sha256' | undefined> = new Map([
  [
    `${xmlenc}rsa-oaep-mgf1p`,
    (method) =>
      hasNoLabel(method) && childAlgorithm(method, 'signature', 'DigestMethod', sha1) === sha1 ? 'sha1' : undefined,
  ],
  [
    `${xmlenc11}rsa-oaep`,
    (method) => {
      const digest = childAlgorithm(method, 'signature', 'DigestMethod', sha1)
      const mask = childAlgorithm(method, 'encryption11', 'MGF', `${xmlenc11}mgf1sha1`)
      if (!hasNoLabel(method)) return undefined
      if (digest === sha1 && mask === `${xmlenc11}mgf1sha1`) return 'sha1'
      return digest === `${xmlenc}sha256` && mask === `${xmlenc11}mgf1sha256` ? 'sha256' : undefined
    },
  ],
])

const hasNoLabel = (method: XmlElement) => optionalChild(method, 'encryption', 'OAEPparams') === undefined

function childAlgorithm(method: XmlElement, space: 'signature' | 'encryption11', name: string, unless: string): string {
  const child = optionalChild(method, space, name)
  return child ? (getAttribute(child, 'Algorithm') ?? '') : unless
}
