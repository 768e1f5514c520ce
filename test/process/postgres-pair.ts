import { execFileSync } from 'node:child_process'
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensurePostgresAccount, ensureSystemEngine, findInstalledEngine } from '#server/embedded-postgres/location.ts'
import { freePort } from '#test/free-port.ts'
import { cleanUpOnExit } from '#test/watchdog.mjs'

/** Two PostgreSQL servers, of which the second follows the first: a commit waits until both have it. */
export interface PostgresPair {
  /** Names both. */
  url: string
  /** The first one alone. */
  primaryUrl: string
  /** The second one alone. */
  replicaUrl: string
  /** `kill -9` of the first one. */
  killPrimary(): void
  /** `kill -9` of the second one: commits of the first one wait from then on. */
  killReplica(): void
  /** The second one accepts writes from now on. */
  promote(): void
  /** Starts one more: a standby of another cluster, a copy of the first one that follows nobody, or one that follows the second one. */
  add(which: 'stranger' | 'copy' | 'follower'): Promise<string>
  stop(): void
}

export async function startPostgresPair(): Promise<PostgresPair> {
  const say = () => {}
  const isRoot = process.getuid?.() === 0
  const account = isRoot ? ensurePostgresAccount(say) : undefined
  const engine = isRoot ? await ensureSystemEngine(say) : findInstalledEngine().folder
  const folder = mkdtempSync(join(tmpdir(), 'vestibule-pair-'))
  if (account) chownSync(folder, account.uid, account.gid)
  const [primary, replica, untouched] = ['primary', 'replica', 'untouched'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const started = [primary, replica]
  const cleared = [primary, replica].map((cluster) => cleanUpOnExit({ cluster, folders: [cluster] }))
  const [primaryPort, replicaPort] = [await freePort(), await freePort()]
  const run = (program: string, options: readonly string[]) =>
    execFileSync(program, options, { ...account, cwd: folder, stdio: 'ignore', env: { PATH: process.env.PATH } })
  const control = (data: string, ...options: string[]) =>
    run(join(engine, 'bin', 'pg_ctl'), ['-D', data, '-w', ...options])
  const start = (data: string, port: number, settings: string) => {
    const place = `-p ${port} -c listen_addresses=localhost -c unix_socket_directories=${folder}`
    control(data, '-l', `${data}.log`, '-o', `${place} ${settings}`, 'start')
  }
  const kill = (data: string) =>
    void process.kill(Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL')
  const initialise = (data: string) =>
    run(join(engine, 'bin', 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8'])
  const follow = (data: string, port: number) => {
    writeFileSync(join(data, 'standby.signal'), '')
    return `-c primary_conninfo='host=localhost port=${port} user=postgres'`
  }
  const urlOf = (port: number) => `postgres://postgres@localhost:${port}/postgres`
  initialise(primary)
  run('cp', ['-a', primary, replica])
  run('cp', ['-a', primary, untouched])
  start(primary, primaryPort, '-c synchronous_standby_names=* -c synchronous_commit=on')
  start(replica, replicaPort, follow(replica, primaryPort))
  return {
    url: `postgres://postgres@localhost:${primaryPort},localhost:${replicaPort}/postgres?target_session_attrs=read-write`,
    primaryUrl: urlOf(primaryPort),
    replicaUrl: urlOf(replicaPort),
    killPrimary: () => kill(primary),
    killReplica: () => kill(replica),
    promote: () => control(replica, 'promote'),
    async add(which) {
      const [data, port] = [join(folder, which), await freePort()]
      if (which === 'stranger') initialise(data)
      else run('cp', ['-a', untouched, data])
      if (which === 'stranger') writeFileSync(join(data, 'standby.signal'), '')
      started.push(data)
      cleared.push(cleanUpOnExit({ cluster: data, folders: [data] }))
      start(data, port, which === 'follower' ? follow(data, replicaPort) : '')
      return urlOf(port)
    },
    stop() {
      for (const data of started)
        try {
          control(data, '-m', 'immediate', 'stop')
        } catch {
          // Killed by the test.
        }
      rmSync(folder, { recursive: true, force: true })
      for (const clear of cleared) clear()
    },
  }
}
