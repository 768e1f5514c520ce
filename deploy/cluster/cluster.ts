import { chownSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { ensurePostgresAccount } from '#server/embedded-postgres/location.ts'
import { fillIn, secretsOf } from './fill-in.ts'
import { createProcesses, runAs } from './processes.ts'

/** One machine of the database: etcd, Patroni, and the PostgreSQL that Patroni looks after. */
export interface Server {
  name: string
  folder: string
  /** The port of its PostgreSQL. */
  port: number
}

/** What Patroni says of a server. */
export interface ServerState {
  name: string
  role: 'leader' | 'sync_standby' | 'replica'
  /** Whether it accepts connections, and has followed the primary to its timeline. */
  works: boolean
}

/** A cluster on one machine: three servers of the database, three portals, and HAProxy in front of them. */
export interface Cluster {
  /** Where people go. */
  url: string
  servers: readonly Server[]
  /** The settings of a portal of this cluster; its addresses of the database name all servers. */
  portalSettings: { DATABASE_URL: string; DATABASE_OWNER_URL: string; DATA_DIR: string; BASE_URL: string }
  states(): Promise<ServerState[]>
  /** The server that accepts writes; undefined while there is none. */
  primary(): Promise<Server | undefined>
  /** `kill -9` of a server's PostgreSQL, or of all that runs on that machine. */
  kill(server: Server, what: 'postgres' | 'machine'): Promise<void>
  /** Starts a machine again, with its copy of the database or without. */
  start(server: Server, how?: 'without data'): void
  /** Makes another server the primary, as before work on a machine. */
  switchTo(server: Server): Promise<void>
  /** The addresses of the database at one server alone. */
  databaseUrls(server: Server): Pick<Cluster['portalSettings'], 'DATABASE_URL' | 'DATABASE_OWNER_URL'>
  /** Runs pgBackRest on a server; returns what it printed. */
  pgbackrest(server: Server, ...options: string[]): string
  /** Starts a copy of the database as it was at a moment after the first backup. */
  restore(from: Server, moment: Date): Copy
  stop(): Promise<void>
}

/** A restored copy, on a port of its own. */
export interface Copy {
  databaseUrls: ReturnType<Cluster['databaseUrls']>
  stop(): void
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
const host = '127.0.0.1'
const names = ['one', 'two', 'three']
/** How long anything may take here, in milliseconds. */
const patience = 120_000
const templates = ['etcd.yml', 'patroni.yml', 'pgbackrest.conf', 'roles.sh']

/**
 * Sets a cluster up, or starts it again; resolves when all portals are ready.
 *
 * @throws when something is not ready within two minutes
 */
export async function startCluster({ folder, ports, settings = {}, say, started }: Options): Promise<Cluster> {
  const account = process.getuid?.() === 0 ? ensurePostgresAccount(say) : undefined
  const own = (path: string) => account && chownSync(path, account.uid, account.gid)
  const makeFolder = (path: string) => {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    own(path)
  }
  const write = (template: string, target: string, values: Record<string, string>) => {
    writeFileSync(target, fillIn(readFileSync(join(import.meta.dirname, template), 'utf8'), values), { mode: 0o600 })
    own(target)
  }
  makeFolder(folder)
  makeFolder(join(folder, 'backups'))
  const secrets = secretsOf(folder)
  const portOf = (what: 'postgres' | 'etcd' | 'etcdPeer' | 'patroni' | 'portal' | 'copy', index = 0) =>
    ports + { postgres: 1, etcd: 4, etcdPeer: 7, patroni: 10, portal: 13, copy: 16 }[what] + index
  const servers = names.map((name, index) => ({ name, folder: join(folder, name), port: portOf('postgres', index) }))
  const patroniOf = ({ port }: Server) => portOf('patroni', port - portOf('postgres'))
  const processes = createProcesses(folder, started)
  const run = (program: string, ...options: string[]) => runAs(account, folder, program, options)

  function startServer(server: Server) {
    const index = servers.indexOf(server)
    makeFolder(server.folder)
    for (const file of templates)
      write(file, join(server.folder, file), {
        ...secrets,
        NAME: server.name,
        FOLDER: server.folder,
        HOST: host,
        NETWORK: `${host}/32`,
        POSTGRES_PORT: String(server.port),
        POSTGRES_PROGRAMS: postgresPrograms(),
        PATRONI_PORT: String(patroniOf(server)),
        ETCD_CLIENT_PORT: String(portOf('etcd', index)),
        ETCD_PEER_PORT: String(portOf('etcdPeer', index)),
        ETCD_MEMBERS: names.map((name, each) => `${name}=http://${host}:${portOf('etcdPeer', each)}`).join(','),
        ETCD_HOSTS: names.map((_, each) => `${host}:${portOf('etcd', each)}`).join(','),
        REPOSITORY: join(folder, 'backups'),
      })
    processes.start(server.name, 'etcd', ['--config-file', join(server.folder, 'etcd.yml')], account)
    processes.start(server.name, 'patroni', [join(server.folder, 'patroni.yml')], account)
  }
  const urlsAt = (place: string) => ({
    DATABASE_URL: `postgres://vestibule:${secrets.DATABASE_PASSWORD}@${place}`,
    DATABASE_OWNER_URL: `postgres://vestibule_owner:${secrets.OWNER_PASSWORD}@${place}`,
  })
  async function states(): Promise<ServerState[]> {
    for (const server of servers)
      try {
        const signal = AbortSignal.timeout(1000)
        const answer = await fetch(`http://${host}:${patroniOf(server)}/cluster`, { signal })
        return read((await answer.json()) as Members)
      } catch {
        // This machine is down: the next one knows as much.
      }
    return []
  }
  async function primary() {
    const leader = (await states()).find(({ role, works }) => role === 'leader' && works)
    return servers.find(({ name }) => name === leader?.name)
  }
  const pgbackrest = (server: Server, ...options: string[]) =>
    run('pgbackrest', `--config=${join(server.folder, 'pgbackrest.conf')}`, '--stanza=vestibule', ...options)

  const stop = async () => {
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
  for (const server of servers) startServer(server)
  pgbackrest(await until(primary, 'no server accepts writes'), 'stanza-create')

  const portalSettings = {
    ...urlsAt(`${servers.map(({ port }) => `${host}:${port}`).join(',')}/vestibule?target_session_attrs=read-write`),
    DATA_DIR: join(folder, 'portal'),
    BASE_URL: `http://localhost:${ports}`,
  }
  say('Starting three portals and HAProxy ...')
  const portals = names.map((name, index) => ({ name: `portal-${name}`, port: portOf('portal', index) }))
  for (const { name, port } of portals)
    processes.start(name, process.execPath, [join(root, 'server', 'main.mjs')], undefined, {
      ...portalSettings,
      TRUSTED_PROXIES: host,
      PORT: String(port),
      ...settings,
    })
  write('haproxy.cfg', join(folder, 'haproxy.cfg'), {
    HOST: host,
    PORTAL_PORT: String(ports),
    PORTALS: portals.map(({ name, port }) => `    server ${name} ${host}:${port}`).join('\n'),
  })
  processes.start('haproxy', 'haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')])
  const isReady = async (port: number) => (await fetch(`http://${host}:${port}/health/ready`)).ok
  for (const port of [...portals.map((portal) => portal.port), ports])
    await until(() => isReady(port), `nothing is ready at port ${port}`)

  return {
    url: portalSettings.BASE_URL,
    servers,
    portalSettings,
    states,
    primary,
    async kill(server, what) {
      const postmaster = Number(readFileSync(join(server.folder, 'data', 'postmaster.pid'), 'utf8').split('\n', 1)[0])
      if (what === 'machine') await processes.kill(server.name)
      process.kill(postmaster, 'SIGKILL')
    },
    start(server, how) {
      if (how === 'without data') rmSync(join(server.folder, 'data'), { recursive: true, force: true })
      startServer(server)
    },
    async switchTo({ name, folder: place }) {
      const leader = await until(primary, 'no server accepts writes')
      run(
        'patronictl',
        '-c',
        join(place, 'patroni.yml'),
        'switchover',
        '--leader',
        leader.name,
        '--candidate',
        name,
        '--force',
      )
    },
    databaseUrls: ({ port }) => urlsAt(`${host}:${port}/vestibule`),
    pgbackrest,
    restore(from, moment) {
      const [target, port] = [join(folder, `copy-${moment.getTime()}`), portOf('copy')]
      const control = (...options: string[]) => run(join(postgresPrograms(), 'pg_ctl'), '-D', target, '-w', ...options)
      makeFolder(target)
      // Archives what is still in the primary's newest file.
      pgbackrest(from, 'check')
      const time = moment.toISOString().replace('T', ' ').replace('Z', '+00')
      const upTo = ['--type=time', `--target=${time}`, '--target-action=promote', '--archive-mode=off']
      pgbackrest(from, `--pg1-path=${target}`, ...upTo, 'restore')
      // The copy stands alone: it waits for no other server.
      const place = `-p ${port} -c unix_socket_directories=${target} -c hba_file=${target}/pg_hba.conf`
      control('-l', `${target}.log`, '-o', `${place} -c synchronous_standby_names=`, 'start')
      return {
        databaseUrls: urlsAt(`${host}:${port}/vestibule`),
        stop() {
          control('-m', 'immediate', 'stop')
          rmSync(target, { recursive: true, force: true })
        },
      }
    },
    stop,
  }
}

interface Members {
  members: { name: string; role: ServerState['role']; state: string; timeline?: number }[]
}

function read({ members }: Members): ServerState[] {
  const leader = members.find(({ role }) => role === 'leader')
  // Newer versions of Patroni call a replica that follows `streaming`.
  return members.map(({ name, role, state, timeline }) => {
    const works = ['running', 'streaming'].includes(state) && timeline !== undefined && timeline === leader?.timeline
    return { name, role, works }
  })
}

/** Debian's folder of the newest PostgreSQL. */
function postgresPrograms(): string {
  const versions = '/usr/lib/postgresql'
  const newest = readdirSync(versions).sort((one, other) => Number(other) - Number(one))[0]
  return join(versions, newest ?? '', 'bin')
}
