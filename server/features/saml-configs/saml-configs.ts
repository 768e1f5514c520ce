import { X509Certificate } from 'node:crypto'

const pem = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g
const leastRsaBits = 2048

/**
 * The certificates of a configuration that can verify anything, each in PEM of its own: RSA with 2048 bits or more, or
 * EC. There are several while an identity provider changes its key. Past their validity they still count: the
 * configuration vouches for them, not a date.
 *
 * @param text PEM, one after the other, or the bare base64 of one
 */
export function usableCertificates(text: string): string[] {
  const blocks = text.match(pem) ?? [`-----BEGIN CERTIFICATE-----\n${text.trim()}\n-----END CERTIFICATE-----`]
  return blocks.flatMap((block) => {
    const certificate = readCertificate(block)
    if (!certificate) return []
    const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey
    const strong =
      asymmetricKeyType === 'ec' ||
      (asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= leastRsaBits)
    return strong ? [certificate.toString()] : []
  })
}

function readCertificate(block: string): X509Certificate | undefined {
  try {
    return new X509Certificate(block)
  } catch {
    return undefined
  }
}
