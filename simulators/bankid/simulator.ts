import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createOrders, type Orders } from './orders.ts'
import { basePath, type Failures, relyingPartyApi } from './relying-party-api.ts'

const certificates = join(import.meta.dirname, 'certificates')

/** The client certificates and the CA, for the settings. */
export const simulatorFiles = {
  ca: join(certificates, 'ca.pem'),
  client: join(certificates, 'client.p12'),
  /** The same as PEM, in a legacy format that Node cannot read, and one that the simulator does not trust. */
  clientPem: join(certificates, 'client.pem'),
  clientLegacy: join(certificates, 'client-legacy.p12'),
  stranger: join(certificates, 'stranger.pem'),
  passphrase: 'qwerty123',
}

export interface BankIdSimulator {
  /** For BANKID_URL. */
  url: string
  orders: Orders
  /** Add a failure, and the next call of that name fails with it. */
  breaks: Failures
  close(): Promise<void>
}

/** Starts the simulator on the loopback interface. The TLS handshake requires a certificate of its CA. */
export async function startBankIdSimulator({
  clock,
  port = 0,
  orders = createOrders(clock),
  breaks = { auth: [], collect: [], cancel: [] },
}: {
  clock: () => Date
  port?: number
  orders?: Orders
  breaks?: Failures
}): Promise<BankIdSimulator> {
  const read = (name: string) => readFileSync(join(certificates, name))
  const server = createServer(
    {
      key: read('server-key.pem'),
      cert: read('server.pem'),
      ca: read('ca.pem'),
      requestCert: true,
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2',
    },
    relyingPartyApi(orders, breaks),
  )
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}${basePath}`,
    orders,
    breaks,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
