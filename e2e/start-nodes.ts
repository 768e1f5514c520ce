import { bankIdPeople } from '#server/demo/bankid-people.ts'
import { freePort } from '#test/free-port.ts'
import { createOrders } from '../simulators/bankid/orders.ts'
import { createPhoneApp } from '../simulators/bankid/phone-app.ts'
import { servePhoneApp } from '../simulators/bankid/phone-app-server.ts'
import { simulatorFiles, startBankIdSimulator } from '../simulators/bankid/simulator.ts'
import { startProxy } from '../test/process/proxies.ts'
import { type PortalServer, startPortal } from './portal-server.ts'

const clock = () => new Date()

/**
 * Several nodes behind HAProxy, which gives each request to the next one, on one database. BankID and its phone, which are
 * else simulated in the portal's process, run once and for all nodes.
 */
export async function startNodes(count: number): Promise<PortalServer> {
  const orders = createOrders(clock)
  const bankId = await startBankIdSimulator({ clock, orders })
  const phone = await servePhoneApp(createPhoneApp({ orders, people: bankIdPeople(), path: '/dev/bankid' }))
  const port = await freePort()
  const settings = {
    BASE_URL: `http://localhost:${port}`,
    BANKID_URL: bankId.url,
    BANKID_CERT_FILE: simulatorFiles.client,
    BANKID_CERT_PASSPHRASE: simulatorFiles.passphrase,
    BANKID_CA_FILE: simulatorFiles.ca,
  }
  // The services and the identity provider of the demo run beside the first node.
  const first = await startPortal(settings)
  const start = () => startPortal({ ...settings, DEMO: 'off' }, first.folder)
  const others = await Promise.all(Array.from({ length: count - 1 }, start))
  const addressOf = ({ url }: { url: string }) => new URL(url).host.replace('localhost', '127.0.0.1')
  const proxy = await startProxy('haproxy', [first, ...others].map(addressOf), {
    port,
    elsewhere: { '/dev/bankid': addressOf(phone) },
  })
  return {
    url: settings.BASE_URL,
    folder: first.folder,
    async stop() {
      await proxy.stop()
      await Promise.all(others.map((node) => node.stop()))
      await first.stop()
      await Promise.all([bankId.close(), phone.close()])
    },
  }
}
