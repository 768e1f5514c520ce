import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readStates, type ServerState } from './patroni.ts'
import { host, names, type Place, postgresPrograms } from './place.ts'
import type { Processes } from './processes.ts'
import { type Copy, type DatabaseUrls, restoreCopy } from './restore.ts'

/** One machine of the database: etcd, Patroni, and the PostgreSQL that Patroni looks after. */
export interface Server {
  name: string
  folder: string
  /** The port of its PostgreSQL. */
  port: number
}

/** Three servers of the database, of which Patroni makes one the primary. */
export interface ClusterDatabase {
  servers: readonly Server[]
  states(): Promise<ServerState[]>
  /** The server that accepts writes; undefined while there is none. */
  primary(): Promise<Server | undefined>
  /**
   * `kill -9` of a server's PostgreSQL, or of all that runs on that machine; or nothing there says a word any more and nobody is
   * told, as when a machine loses power or its network.
   */
  kill(server: Server, what: 'postgres' | 'machine' | 'silent'): Promise<void>
  /** Starts a machine, with its copy of the database or without. */
  start(server: Server, how?: 'without data'): Promise<void>
  /** Ends the machines that say nothing: nothing there hears that it should end. */
  endSilent(): Promise<void>
  /** Makes one of them the primary in place of another, as before work on a machine. */
  switchOver(from: Server, to: Server): Promise<void>
  /** The addresses of the database at one server alone, or at all of them. */
  databaseUrls(server?: Server): DatabaseUrls
  /** Runs pgBackRest on a server; resolves with what it printed. */
  pgbackrest(server: Server, ...options: string[]): Promise<string>
  /** Starts a copy of the database as it was at a moment after the first backup. */
  restore(from: Server, moment: Date): Promise<Copy>
}

const templates = ['etcd.yml', 'patroni.yml', 'pgbackrest.conf', 'restore-wal.sh', 'roles.sh']

/** Knows three servers in a place. Starts none of them. */
export function createDatabase(place: Place, processes: Processes): ClusterDatabase {
  const { folder, secrets, account, portOf, makeFolder, write, run } = place
  const servers = names.map((name, index) => ({ name, folder: join(folder, name), port: portOf('postgres', index) }))
  const states = () => readStates(place, servers.length)
  const urlsAt = (where: string): DatabaseUrls => ({
    DATABASE_URL: `postgres://vestibule:${secrets.DATABASE_PASSWORD}@${where}`,
    DATABASE_OWNER_URL: `postgres://vestibule_owner:${secrets.OWNER_PASSWORD}@${where}`,
  })
  const everywhere = `${servers.map(({ port }) => `${host}:${port}`).join(',')}/vestibule?target_session_attrs=read-write`
  /** The processes of PostgreSQL on machines that say nothing. */
  const silent = new Map<Server, number[]>()
  async function endSilent(): Promise<void> {
    for (const [server, pids] of silent) {
      silent.delete(server)
      await processes.kill(server.name)
      for (const pid of pids) process.kill(pid, 'SIGKILL')
    }
  }
  const pgbackrest = (server: Server, ...options: string[]) =>
    run('pgbackrest', `--config=${join(server.folder, 'pgbackrest.conf')}`, '--stanza=vestibule', ...options)

  /** What each template of a server's files is filled in with. */
  const valuesOf = (server: Server, index: number) => ({
    ...secrets,
    NAME: server.name,
    FOLDER: server.folder,
    HOST: host,
    NETWORK: `${host}/32`,
    POSTGRES_PORT: String(server.port),
    POSTGRES_PROGRAMS: postgresPrograms(),
    PATRONI_PORT: String(portOf('patroni', index)),
    ETCD_CLIENT_PORT: String(portOf('etcd', index)),
    ETCD_PEER_PORT: String(portOf('etcdPeer', index)),
    ETCD_MEMBERS: names.map((name, each) => `${name}=http://${host}:${portOf('etcdPeer', each)}`).join(','),
    ETCD_HOSTS: names.map((_, each) => `${host}:${portOf('etcd', each)}`).join(','),
    REPOSITORY: join(folder, 'backups'),
  })

  return {
    servers,
    states,
    async primary() {
      const leader = (await states()).find(({ role, works }) => role === 'leader' && works)
      return servers.find(({ name }) => name === leader?.name)
    },
    async kill(server, what) {
      const postmaster = Number(readFileSync(join(server.folder, 'data', 'postmaster.pid'), 'utf8').split('\n', 1)[0])
      if (what === 'silent') {
        const sessions = childrenOf(postmaster)
        silent.set(server, [postmaster, ...sessions])
        processes.stop(server.name)
        for (const pid of [postmaster, ...sessions]) process.kill(pid, 'SIGSTOP')
        return
      }
      if (what === 'machine') await processes.kill(server.name)
      process.kill(postmaster, 'SIGKILL')
    },
    async start(server, how) {
      await endSilent()
      if (how === 'without data') rmSync(join(server.folder, 'data'), { recursive: true, force: true })
      makeFolder(join(folder, 'backups'))
      makeFolder(server.folder)
      const values = valuesOf(server, servers.indexOf(server))
      for (const file of templates) write(file, join(server.folder, file), values)
      processes.start(server.name, 'etcd', ['--config-file', join(server.folder, 'etcd.yml')], account)
      processes.start(server.name, 'patroni', [join(server.folder, 'patroni.yml')], account)
    },
    endSilent,
    async switchOver(from, to) {
      const which = ['--leader', from.name, '--candidate', to.name, '--force']
      await run('patronictl', '-c', join(to.folder, 'patroni.yml'), 'switchover', ...which)
    },
    databaseUrls: (server) => urlsAt(server ? `${host}:${server.port}/vestibule` : everywhere),
    pgbackrest,
    restore: (from, moment) =>
      restoreCopy({ place, urlsAt, pgbackrest: (...options) => pgbackrest(from, ...options) }, moment),
  }
}

/** What a process has started and is still there. */
const childrenOf = (parent: number): number[] =>
  readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
