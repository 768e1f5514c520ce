import { constants, createCipheriv, publicEncrypt, randomBytes, X509Certificate } from 'node:crypto'
import type { Client } from '#test/client.ts'
import type { TestApp } from '#test/test-app.ts'
import type { Company } from './company.ts'
import { assertionOf, replaceAssertion } from './wrapping.ts'

const xmlenc = 'http://www.w3.org/2001/04/xmlenc#'
const xmlenc11 = 'http://www.w3.org/2009/xmlenc11#'

/** How a company encrypts. Written without the code under test. */
export interface Encryption {
  /** PEM or DER of the reader's certificate. */
  certificate: string | Buffer
  content?: 'aes128-gcm' | 'aes256-gcm' | 'aes128-cbc' | 'aes192-cbc' | 'aes256-cbc'
  key?: 'rsa-oaep-mgf1p' | 'rsa-oaep' | 'rsa-1_5'
  /** The hash of both parts of RSA-OAEP. */
  hash?: 'sha1' | 'sha256'
  /** Where the key stands. */
  keyPlace?: 'inside' | 'beside'
}

/** An `EncryptedAssertion` with this text. */
export function encrypted(text: string, { certificate, ...how }: Encryption): string {
  const { content = 'aes256-gcm', key = 'rsa-oaep-mgf1p', hash = 'sha1', keyPlace = 'inside' } = how
  const contentKey = randomBytes(Number(/\d+/.exec(content)?.[0]) / 8)
  const wrapped = publicEncrypt(
    {
      key: new X509Certificate(certificate).publicKey,
      ...(key === 'rsa-1_5'
        ? { padding: constants.RSA_PKCS1_PADDING }
        : { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: hash }),
    },
    contentKey,
  )
  const encryptedKey = `<xenc:EncryptedKey>${methodOf(key, hash)}${cipher(wrapped)}</xenc:EncryptedKey>`
  const method = `<xenc:EncryptionMethod Algorithm="${content.endsWith('gcm') ? xmlenc11 : xmlenc}${content}"/>`
  const inside = keyPlace === 'inside' ? keyInfo(encryptedKey) : ''
  const data = `<xenc:EncryptedData xmlns:xenc="${xmlenc}" Type="${xmlenc}Element">${method}${inside}${cipher(sealed(text, content, contentKey))}</xenc:EncryptedData>`
  const beside = keyPlace === 'beside' ? encryptedKey.replace('>', ` xmlns:xenc="${xmlenc}">`) : ''
  return `<saml:EncryptedAssertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${data}${beside}</saml:EncryptedAssertion>`
}

/** A response with its assertion encrypted. A signature of the response would have to be made after this. */
export const withEncrypted = (xml: string, how: Encryption): string =>
  replaceAssertion(xml, encrypted(assertionOf(xml), how))

const keyInfo = (inside: string) => `<ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#">${inside}</ds:KeyInfo>`
const cipher = (bytes: Buffer) =>
  `<xenc:CipherData><xenc:CipherValue>${bytes.toString('base64')}</xenc:CipherValue></xenc:CipherData>`

function methodOf(key: string, hash: 'sha1' | 'sha256'): string {
  if (key !== 'rsa-oaep') return `<xenc:EncryptionMethod Algorithm="${xmlenc}${key}"/>`
  const digest = hash === 'sha1' ? 'http://www.w3.org/2000/09/xmldsig#sha1' : `${xmlenc}sha256`
  return `<xenc:EncryptionMethod Algorithm="${xmlenc11}rsa-oaep"><ds:DigestMethod xmlns:ds="http://www.w3.org/2000/09/xmldsig#" Algorithm="${digest}"/><x:MGF xmlns:x="${xmlenc11}" Algorithm="${xmlenc11}mgf1${hash}"/></xenc:EncryptionMethod>`
}

function sealed(text: string, content: string, key: Buffer): Buffer {
  const iv = randomBytes(content.endsWith('gcm') ? 12 : 16)
  if (content.endsWith('cbc')) {
    // Padded as XML Encryption says: only the last byte means something.
    const bytes = Buffer.from(text)
    const padding = randomBytes(16 - (bytes.length % 16))
    padding.writeUInt8(padding.length, padding.length - 1)
    const cbc = createCipheriv(`aes-${8 * key.length}-cbc`, key, iv).setAutoPadding(false)
    return Buffer.concat([iv, cbc.update(Buffer.concat([bytes, padding])), cbc.final()])
  }
  const gcm = createCipheriv(content === 'aes256-gcm' ? 'aes-256-gcm' : 'aes-128-gcm', key, iv)
  return Buffer.concat([iv, gcm.update(text), gcm.final(), gcm.getAuthTag()])
}

/** The certificate for encryption that a configuration's metadata offers. */
export async function encryptionCertificate(portal: TestApp, { configId }: Company, browser?: Client): Promise<Buffer> {
  await portal.system.db
    .updateTable('samlConfigs')
    .set({ encryptionEnabled: true })
    .where('id', '=', configId)
    .execute()
  const { body } = await (browser ?? portal.browser()).get(`/saml/${configId}/metadata`)
  const [, base64 = ''] = /use="encryption">.*?<ds:X509Certificate>([^<]+)</s.exec(body) ?? []
  return Buffer.from(base64, 'base64')
}
