import { X509Certificate } from 'node:crypto'
import { isStrongKey } from '#server/platform/secrets/strong-keys.ts'

const pem = /-{5}BEGIN CERTIFICATE-{5}([^-]+)-{5}END CERTIFICATE-{5}/g

/** One block of a text: its certificate if it is readable, and whether it may verify signatures. */
export interface ReadCertificate {
  certificate: X509Certificate | undefined
  /** Its key is EC or RSA, and a strong one. */
  usable: boolean
}

/**
 * Reads the certificates of a configuration. There are several while an identity provider rotates its key.
 *
 * @param text concatenated PEM blocks, or the bare base64 of one certificate
 */
export function readCertificates(text: string): ReadCertificate[] {
  const blocks = [...text.matchAll(pem)].map(([, base64 = '']) => base64)
  return (blocks.length > 0 ? blocks : [text]).map(readCertificate)
}

/**
 * The usable certificates, one PEM each. Expired ones are accepted, because the configuration establishes the trust.
 *
 * @param text as for `readCertificates`
 */
export const parseUsableCertificates = (text: string): string[] =>
  readCertificates(text).flatMap(({ certificate, usable }) => (certificate && usable ? [certificate.toString()] : []))

/** Rebuilds the block: OpenSSL refuses empty lines and spaces, which remain when a certificate is copied. */
function readCertificate(base64: string): ReadCertificate {
  const lines = base64.replaceAll(/\s/g, '').replaceAll(/.{64}(?=.)/g, '$&\n')
  try {
    const certificate = new X509Certificate(`-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----`)
    // Reading the key of an unknown kind fails, too.
    return { certificate, usable: isStrong(certificate) }
  } catch {
    return { certificate: undefined, usable: false }
  }
}

const isStrong = ({ publicKey }: X509Certificate): boolean =>
  ['rsa', 'ec'].includes(publicKey.asymmetricKeyType ?? '') && isStrongKey(publicKey)
