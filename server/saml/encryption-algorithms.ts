import { getAttribute, optionalChild, type XmlElement } from './xml.ts'

const xmlenc = 'http://www.w3.org/2001/04/xmlenc#'
const xmlenc11 = 'http://www.w3.org/2009/xmlenc11#'
const sha1 = 'http://www.w3.org/2000/09/xmldsig#sha1'

/** Sizes of the keys in bytes, by the URI of the algorithm. CBC is missing: what is changed shows in its padding. */
export const contentMethods: ReadonlyMap<string, number> = new Map([
  [`${xmlenc11}aes256-gcm`, 32],
  [`${xmlenc11}aes128-gcm`, 16],
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
