import type { X509Certificate } from 'node:crypto'
import type { CertificateState } from '#contract/saml-configs/saml-certificates.ts'
import { readCertificates } from '#server/saml/certificates.ts'

const day = 86_400_000
/** How long before its end a certificate is called to attention. */
const soon = 60 * day

/** Describes the certificates of a text, each with what somebody must do about it. */
export const describeCertificates = (text: string, now: Date): CertificateState[] =>
  readCertificates(text).map(({ certificate, usable }) => {
    if (!certificate || Number.isNaN(certificate.validToDate.getTime()))
      return { status: 'unreadable', subject: null, fingerprint: null, validTo: null }
    return {
      status: usable ? periodOf(certificate, now) : 'weakKey',
      subject: subjectOf(certificate),
      fingerprint: certificate.fingerprint256,
      validTo: certificate.validToDate.toISOString(),
    }
  })

/** What the audit log says of a certificate: whose it is and which one, not the whole text. */
export const summarizeCertificates = (text: string): string =>
  readCertificates(text)
    .flatMap(({ certificate }) => certificate ?? [])
    .map((certificate) => `${subjectOf(certificate)}, SHA-256 ${certificate.fingerprint256}, ${certificate.validTo}`)
    .join('\n')

const subjectOf = ({ subject }: X509Certificate) => (subject ?? '').split('\n').join(', ')

function periodOf({ validFromDate, validToDate }: X509Certificate, now: Date): CertificateState['status'] {
  const left = validToDate.getTime() - now.getTime()
  if (left < 0) return 'expired'
  if (validFromDate > now) return 'notYetValid'
  return left < soon ? 'endsSoon' : 'valid'
}
