import { type PhoneApp, phoneAppPath } from '#server/features/dev-bankid/dev-bankid.handlers.ts'
import type { BankId } from '#server/platform/bankid.ts'
import type { Clock } from '#server/platform/clock.ts'
import { secret } from '#server/platform/secret.ts'
import { createOrders, type Orders } from '../../simulators/bankid/orders.ts'
import { createPhoneApp } from '../../simulators/bankid/phone-app.ts'
import type { Breaks } from '../../simulators/bankid/relying-party-api.ts'
import { bankIdPeople } from './bankid-people.ts'

/** BankID as the portal sees it, with everything behind it in this process. */
export interface SimulatedBankId {
  bankid: BankId
  phoneApp: PhoneApp
  orders: Orders
  breaks: Breaks
}

/**
 * BankID's simulator in the portal's own process, over a real connection with certificates on both sides. Its port is
 * opened by the first sign-in: a start does not wait for it.
 */
export function simulateBankId({ clock }: { clock: Clock }): SimulatedBankId {
  const orders = createOrders(clock)
  const breaks: Breaks = { auth: [], collect: [], cancel: [] }
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
        // Whoever asks again, as another node of a test, opens the port anew.
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
  breaks: Breaks
}

async function start(parts: Start) {
  const [{ simulatorFiles, startBankIdSimulator }, { readBankIdCertificate }, { createBankIdClient }] =
    await Promise.all([
      import('../../simulators/bankid/simulator.ts'),
      import('#server/platform/bankid-certificate.ts'),
      import('#server/platform/bankid-client.ts'),
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
