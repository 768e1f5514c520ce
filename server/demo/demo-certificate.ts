import { createPrivateKey } from 'node:crypto'
import { v7 } from 'uuid'
import { createSelfSignedCertificate } from '#server/saml/self-signed-certificate.ts'
import { dayMs } from './demo-load.ts'

const years = 10
const daysLeft = 20

/**
 * A certificate of the demo company's key that ends in 20 days, so that the warning can be seen. The one in the company's
 * metadata lasts: taking that in renews it.
 *
 * @param keyPem the company's private key
 * @returns PEM
 */
export function endingCertificate(keyPem: string, now: Date): string {
  const made = new Date(now.getTime() + daysLeft * dayMs)
  made.setUTCFullYear(made.getUTCFullYear() - years)
  // The id decides the dates: ten years from its time.
  const certificate = createSelfSignedCertificate(createPrivateKey(keyPem), v7({ msecs: made.getTime() }))
  const lines = certificate.toString('base64').replaceAll(/.{64}(?=.)/g, '$&\n')
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`
}
