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
  /** The second one alone. */
  replicaUrl: string
  /** `kill -9` of the first one. */
  killPrimary(): void
  /** `kill -9` of the second one: commits of the first one wait from then on. */
  killReplica(): void
  /** The second one accepts writes from now on. */
  promote(): void
  stop(): void
}

export async function startPostgresPair(): Promise<PostgresPair> {
  const say = () => {}
  const isRoot = process.getuid?.() === 0
  const account = isRoot ? ensurePostgresAccount(say) : undefined
  const engine = isRoot ? await ensureSystemEngine(say) : findInstalledEngine().folder
  const folder = mkdtempSync(join(tmpdir(), 'vestibule-pair-'))
  if (account) chownSync(folder, account.uid, account.gid)
  const [primary, replica] = [join(folder, 'primary'), join(folder, 'replica')]
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
  run(join(engine, 'bin', 'initdb'), ['-D', primary, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8'])
  run('cp', ['-a', primary, replica])
  writeFileSync(join(replica, 'standby.signal'), '')
  start(primary, primaryPort, '-c synchronous_standby_names=* -c synchronous_commit=on')
  start(replica, replicaPort, `-c primary_conninfo='host=localhost port=${primaryPort} user=postgres'`)
  return {
    url: `postgres://postgres@localhost:${primaryPort},localhost:${replicaPort}/postgres?target_session_attrs=read-write`,
    replicaUrl: `postgres://postgres@localhost:${replicaPort}/postgres`,
    killPrimary: () => kill(primary),
    killReplica: () => kill(replica),
    promote: () => control(replica, 'promote'),
    stop() {
      for (const data of [primary, replica])
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
