import type { BankId } from '#server/bankid/bankid.ts'
import type { PhoneApp } from '#server/bankid/phone-app.ts'
import { phoneAppPath } from '#server/features/dev-bankid/dev-bankid.handlers.ts'
import type { Clock } from '#server/platform/clock.ts'
import { secret } from '#server/platform/secret.ts'
import { createOrders, type Orders } from '../../simulators/bankid/orders.ts'
import { createPhoneApp } from '../../simulators/bankid/phone-app.ts'
import type { Failures } from '../../simulators/bankid/relying-party-api.ts'
import { bankIdPeople } from './bankid-people.ts'

/** A BankID client whose server is simulated in this process. */
export interface SimulatedBankId {
  bankid: BankId
  phoneApp: PhoneApp
  orders: Orders
  breaks: Failures
}

/**
 * Runs the BankID simulator in the portal's own process, over a real mutual TLS connection. The first sign-in opens its
 * port, so that it does not delay the start.
 */
export function simulateBankId({ clock }: { clock: Clock }): SimulatedBankId {
  const orders = createOrders(clock)
  const breaks: Failures = { auth: [], collect: [], cancel: [] }
  let started: ReturnType<typeof start> | undefined
  const client = async () => {
    started ??= start({ clock, orders, breaks })
    return (await started).client
  }
  return {
    orders,
    breaks,
    phoneApp: createPhoneApp({ orders, people: bankIdPeople(), path: phoneAppPath }),
    bankid: {
      begin: async (request) => (await client()).begin(request),
      collect: async (orderRef) => (await client()).collect(orderRef),
      cancel: async (orderRef) => (await client()).cancel(orderRef),
      async close() {
        const ending = started
        // The next request opens the port again.
        started = undefined
        const { client, simulator } = (await ending) ?? {}
        await client?.close()
        await simulator?.close()
      },
    },
  }
}

interface Start {
  clock: Clock
  orders: Orders
  breaks: Failures
}

async function start(parts: Start) {
  const [{ simulatorFiles, startBankIdSimulator }, { readBankIdCertificate }, { createBankIdClient }] =
    await Promise.all([
      import('../../simulators/bankid/simulator.ts'),
      import('#server/bankid/certificate.ts'),
      import('#server/bankid/client.ts'),
    ])
  const simulator = await startBankIdSimulator(parts)
  const certificate = readBankIdCertificate({
    bankidCertFile: simulatorFiles.client,
    bankidCertPassphrase: secret(simulatorFiles.passphrase),
    bankidCaFile: simulatorFiles.ca,
  })
  const client = createBankIdClient({ url: simulator.url, certificate })
  return { simulator, client }
}
