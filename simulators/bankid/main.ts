// Runs the BankID simulator alone: node simulators/bankid/main.ts [port of the API] [port of the phone app]
import { bankIdPeople } from '#server/demo/bankid-people.ts'
import { createOrders } from './orders.ts'
import { createPhoneApp } from './phone-app.ts'
import { servePhoneApp } from './phone-app-server.ts'
import { simulatorFiles, startBankIdSimulator } from './simulator.ts'

const [port = 3011, phonePort = 3012] = process.argv.slice(2).map(Number)
const clock = () => new Date()
const orders = createOrders(clock)
const simulator = await startBankIdSimulator({ clock, port, orders })
const phone = await servePhoneApp(createPhoneApp({ orders, people: bankIdPeople(), path: '/app' }), phonePort)
console.log(`BANKID_URL=${simulator.url}
BANKID_CERT_FILE=${simulatorFiles.client}
BANKID_CERT_PASSPHRASE=${simulatorFiles.passphrase}
BANKID_CA_FILE=${simulatorFiles.ca}
The phone app: ${phone.url}`)
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void Promise.all([simulator.close(), phone.close()]))
