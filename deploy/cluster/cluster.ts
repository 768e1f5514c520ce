import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type ClusterDatabase, createDatabase, type Server } from './database.ts'
import { host, names, type Place, preparePlace } from './place.ts'
import { createProcesses, type Processes } from './processes.ts'
import type { DatabaseUrls } from './restore.ts'

/** A cluster on one machine: three servers of the database, three portals, and HAProxy in front of them. */
export interface Cluster extends Omit<ClusterDatabase, 'switchOver' | 'endSilent'> {
  /** Where people go. */
  url: string
  /** The settings of a portal of this cluster; its addresses of the database name all servers. */
  portalSettings: DatabaseUrls & { DATA_DIR: string; BASE_URL: string }
  /** Makes another server the primary, as before work on a machine. */
  switchTo(server: Server): Promise<void>
  stop(): Promise<void>
}

interface Options {
  /** Empty, or of a run before. The account `postgres` must be able to reach it when this process is root. */
  folder: string
  /** The first of twenty ports in a row. */
  ports: number
  /** Further settings of the portals. */
  settings?: Record<string, string>
  say(line: string): void
  /** Is told of each process that starts here. */
  started?(pid: number): void
}

const root = join(import.meta.dirname, '..', '..')
/** How long anything may take here, in milliseconds. */
const patience = 120_000

/**
 * Sets a cluster up, or starts it again; resolves when all portals are ready.
 *
 * @throws when something is not ready within two minutes
 */
export async function startCluster({ folder, ports, settings = {}, say, started }: Options): Promise<Cluster> {
  const place = preparePlace(folder, ports, say)
  const processes = createProcesses(folder, started)
  const { switchOver, endSilent, ...database } = createDatabase(place, processes)

  const stop = async () => {
    await endSilent()
    for (const programs of [['haproxy', process.execPath], ['patroni'], ['etcd']]) await processes.end(...programs)
  }
  /** Asks until there is an answer. */
  async function until<Answer>(ask: () => Promise<Answer | undefined | false>, problem: string): Promise<Answer> {
    for (const late = Date.now() + patience; Date.now() < late; await wait(250)) {
      const answer = await ask().catch(() => undefined)
      if (answer) return answer
    }
    await stop()
    throw new Error(`${problem}: see the logs in ${folder}`)
  }

  say('Starting etcd, Patroni and PostgreSQL, three of each ...')
  await Promise.all(database.servers.map((server) => database.start(server)))
  await database.pgbackrest(await until(database.primary, 'no server accepts writes'), 'stanza-create')

  const portalSettings = {
    ...database.databaseUrls(),
    DATA_DIR: join(folder, 'portal'),
    BASE_URL: `http://localhost:${ports}`,
  }
  say('Starting three portals and HAProxy ...')
  const isReady = async (port: number) => (await fetch(`http://${host}:${port}/health/ready`)).ok
  for (const port of startPortals(place, processes, { ...portalSettings, TRUSTED_PROXIES: host, ...settings }))
    await until(() => isReady(port), `nothing is ready at port ${port}`)

  return {
    ...database,
    url: portalSettings.BASE_URL,
    portalSettings,
    async switchTo(server) {
      await switchOver(await until(database.primary, 'no server accepts writes'), server)
    },
    stop,
  }
}

/** @returns the ports on which they will listen: HAProxy's is the last one */
function startPortals({ folder, portOf, write }: Place, processes: Processes, env: Record<string, string>): number[] {
  const portals = names.map((name, index) => ({ name: `portal-${name}`, port: portOf('portal', index) }))
  for (const { name, port } of portals) {
    const options = [join(root, 'server', 'main.mjs')]
    processes.start(name, process.execPath, options, undefined, { PORT: String(port), ...env })
  }
  write('haproxy.cfg', join(folder, 'haproxy.cfg'), {
    HOST: host,
    PORTAL_PORT: String(portOf('haproxy')),
    PORTALS: portals.map(({ name, port }) => `    server ${name} ${host}:${port}`).join('\n'),
  })
  processes.start('haproxy', 'haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')])
  return [...portals.map(({ port }) => port), portOf('haproxy')]
}
