import type { FastifyBaseLogger } from 'fastify'
import type { BankId } from './bankid.ts'

const days = 24 * 3600_000

/** The warning for a certificate that expires within 14 days or has expired; otherwise undefined. */
export function describeCertificateExpiry(ends: Date | undefined, now: Date): string | undefined {
  if (!ends || ends.getTime() - now.getTime() > 14 * days) return undefined
  const when = ends.toISOString().slice(0, 10)
  return ends <= now
    ? `the BankID certificate ended on ${when}: nobody can sign in with BankID (BANKID_CERT_FILE)`
    : `the BankID certificate ends on ${when}: order a new one from the bank and put it in BANKID_CERT_FILE`
}

/** Logs a warning for a certificate that expires soon or has expired. */
export function logCertificateWarning(
  bankid: BankId | undefined,
  { now, log }: { now: Date; log: Pick<FastifyBaseLogger, 'warn' | 'error'> },
): void {
  const ends = bankid?.certificateEnds
  const warning = describeCertificateExpiry(ends, now)
  if (warning === undefined) return
  if (ends && ends <= now) log.error(warning)
  else log.warn(warning)
}
