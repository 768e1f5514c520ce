import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext, type SecureContext } from 'node:tls'
import type { Secret } from '#server/platform/secret.ts'

/** TLS options for BankID: client certificate with key, and the only trusted CA. */
export interface BankIdCertificate {
  ca: Buffer
  pfx?: Buffer
  passphrase?: string
  cert?: Buffer
  key?: Buffer
  ends: Date | undefined
}

interface CertificateFiles {
  bankidCertFile: string | undefined
  bankidCertPassphrase: Secret | undefined
  bankidCaFile: string | undefined
}

/** A BankID setting is invalid; the message is one line that begins with its name. */
export class BankIdCertificateError extends Error {
  override name = 'BankIdCertificateError'
}

const certificateSetting = 'BANKID_CERT_FILE'
const authoritySetting = 'BANKID_CA_FILE'

/**
 * Reads and validates the client certificate (PKCS#12 or PEM) and BankID's CA.
 *
 * @throws BankIdCertificateError
 */
export function readBankIdCertificate(files: CertificateFiles): BankIdCertificate {
  const { bankidCertFile, bankidCertPassphrase, bankidCaFile } = files
  const ca = read(authoritySetting, bankidCaFile)
  const own = read(certificateSetting, bankidCertFile)
  tryContext(authoritySetting, { ca })
  const passphrase = bankidCertPassphrase === undefined ? {} : { passphrase: bankidCertPassphrase.reveal() }
  const isPem = own.includes('-----BEGIN ')
  const client = isPem ? { cert: own, key: own, ...passphrase } : { pfx: own, ...passphrase }
  const context = tryContext(certificateSetting, client)
  return { ca, ...client, ends: endOf(context) }
}

function read(setting: string, file: string | undefined): Buffer {
  if (file === undefined) throw new BankIdCertificateError(`${setting} is missing: BANKID_URL needs it`)
  try {
    return readFileSync(file)
  } catch (error) {
    throw new BankIdCertificateError(`${setting} cannot be read: ${(error as { code?: string }).code}`)
  }
}

function tryContext(setting: string, options: Omit<BankIdCertificate, 'ends' | 'ca'> & { ca?: Buffer }): SecureContext {
  try {
    const context = createSecureContext(options)
    if (options.ca) new X509Certificate(options.ca)
    return context
  } catch (error) {
    throw new BankIdCertificateError(`${setting} ${reasonOf(error as Error & { code?: string })}`)
  }
}

function reasonOf({ message, code }: Error & { code?: string }): string {
  if (/Unsupported PKCS12 PFX data/i.test(message))
    return (
      'is a PKCS#12 file with old ciphers (RC2, 3DES) that Node does not read. Convert it: ' +
      'openssl pkcs12 -legacy -in old.p12 -nodes -out all.pem && openssl pkcs12 -export -in all.pem -out new.p12'
    )
  if (/mac verify|bad decrypt|bad password|interrupted or cancelled|maybe wrong password/i.test(message))
    return 'does not open with BANKID_CERT_PASSPHRASE'
  if (/key values mismatch/i.test(message)) return 'contains a key that does not match its certificate'
  return `is no PKCS#12 or PEM file with a certificate (and its key) that can be used: ${code ?? message}`
}

/** Reads the expiry through the TLS context, because Node cannot parse PKCS#12 directly. */
function endOf({ context }: SecureContext): Date | undefined {
  const der: unknown = context.getCertificate?.()
  return Buffer.isBuffer(der) ? new X509Certificate(der).validToDate : undefined
}
