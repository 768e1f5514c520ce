import type { BankId } from './bankid/bankid.ts'
import type { PhoneApp } from './bankid/phone-app.ts'
import type { Config } from './config.ts'
import type { Clock } from './platform/clock.ts'

/**
 * Connects to BankID as configured. Without BANKID_URL it is simulated, with a phone app; in production it is then
 * unavailable.
 *
 * @throws BankIdCertificateError
 */
export async function connectBankId(config: Config, clock: Clock): Promise<{ bankid?: BankId; phoneApp?: PhoneApp }> {
  if (config.bankidUrl === undefined) {
    if (config.production) return {}
    const { simulateBankId } = await import('./demo/bankid-simulator.ts')
    return simulateBankId({ clock })
  }
  const [{ readBankIdCertificate }, { createBankIdClient }] = await Promise.all([
    import('./bankid/certificate.ts'),
    import('./bankid/client.ts'),
  ])
  // Without TLS no certificate is needed: the address is a local proxy that has it; never in production.
  const certificate = config.bankidUrl.startsWith('https:') ? readBankIdCertificate(config) : undefined
  return { bankid: createBankIdClient({ url: config.bankidUrl, certificate }) }
}
