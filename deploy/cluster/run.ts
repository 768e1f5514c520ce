// `npm run cluster`: three PostgreSQL servers under Patroni, three portals and HAProxy on this machine, to try fail-over.
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { startCluster } from './cluster.ts'

const [place = '/var/lib/vestibule/cluster'] = process.argv.slice(2)
const folder = resolve(place)
mkdirSync(folder, { recursive: true })
const cluster = await startCluster({ folder, ports: 4400, settings: { DEMO: 'on' }, say: console.log })
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void cluster.stop().then(() => process.exit()))
const primary = await cluster.primary()
console.log(`
The portal: ${cluster.url}
The primary: ${primary?.name}, PostgreSQL at port ${primary?.port}. All three:
  patronictl -c ${join(folder, 'one', 'patroni.yml')} list
Kill the primary, and watch the portal: kill -9 $(head -1 ${join(primary?.folder ?? '', 'data', 'postmaster.pid')})
A backup: pgbackrest --config=${join(primary?.folder ?? '', 'pgbackrest.conf')} --stanza=vestibule backup   (as the account postgres)
Logs are in ${folder}. Ctrl+C stops everything and keeps the data.`)
