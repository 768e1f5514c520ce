import type { Config } from './config.ts'
import type { PhoneApp } from './features/dev-bankid/dev-bankid.handlers.ts'
import type { BankId } from './platform/bankid.ts'
import type { Clock } from './platform/clock.ts'

/**
 * BankID as the settings have it. Without BANKID_URL it is the simulator, with a phone app of its own; in production
 * nobody signs in with BankID then.
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
    import('./platform/bankid-certificate.ts'),
    import('./platform/bankid-client.ts'),
  ])
  // Without TLS there is nothing to show a certificate to: a proxy of one's own that has it, never in production.
  const certificate = config.bankidUrl.startsWith('https:') ? readBankIdCertificate(config) : undefined
  return { bankid: createBankIdClient({ url: config.bankidUrl, certificate }) }
}
