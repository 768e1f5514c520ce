import { spawn } from 'node:child_process'
import { closeSync, readFileSync, rmSync, statSync } from 'node:fs'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { readCredentials } from './embedded-postgres-initialise.ts'
import { DatabaseStartError, type Place } from './embedded-postgres-place.ts'
import { childOptions, clusterOf, explain, lastFatal, openOwned, run } from './embedded-postgres-programs.ts'
import { findRunning, forgetDead, forgetReusedNumber, type Postmaster } from './embedded-postgres-running.ts'
import { transport } from './embedded-postgres-transport.ts'

/** A running embedded PostgreSQL, with the address of each of its two roles. */
export interface Cluster {
  ownerUrl: string
  appUrl: string
}

// A sixteenth of the machine, taken as it is needed: little enough for a laptop, and on a server the indexes of a million
// people stay at hand.
const buffersInMB = Math.min(512, Math.max(128, Math.floor(totalmem() / 2 ** 24)))

const settings: Record<string, string> = {
  shared_buffers: `${buffersInMB}MB`,
  effective_cache_size: '512MB',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  max_connections: '60',
  max_wal_size: '512MB',
  min_wal_size: '64MB',
  checkpoint_timeout: '15min',
  // One short query at a time: no workers, no compiler, and no need for a large /dev/shm in a container.
  max_parallel_workers_per_gather: '0',
  io_method: 'sync',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'warning',
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
}

const logFile = 'postgres.log'

/**
 * Starts PostgreSQL in a session of its own, so that Ctrl-C in the terminal does not reach it, and waits until it
 * takes connections. It outlives this process when that is killed.
 *
 * @param overrides settings of PostgreSQL on top of the usual ones; tests turn fsync off
 */
export async function start(place: Place, overrides: Record<string, string> = {}): Promise<Postmaster> {
  checkVersion(place)
  forgetReusedNumber(place)
  const all = { ...settings, ...(await transport(place)), ...overrides }
  const log = join(place.base, logFile)
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) > 5_000_000) rmSync(log)
  // Processes of a killed PostgreSQL notice within seconds that they are alone.
  const patience = Date.now() + 5000
  for (;;) {
    const failure = await launch(place, all)
    if (typeof failure !== 'string') return failure
    const reason = lastFatal(log)
    const isLate = Date.now() > patience
    // A dead process that nobody collects, as in a container without an init, keeps its number for ever.
    if (isLate && forgetDead(place)) continue
    if (isLate || !/shared memory block|lock file .* already exists/.test(reason)) {
      throw new DatabaseStartError(`${failure}: ${explain(reason)} (${log})`)
    }
    await wait(200)
  }
}

/** Launches the process; the answer is a text when it failed. */
async function launch(place: Place, all: Record<string, string>): Promise<Postmaster | string> {
  const output = openOwned(place, logFile, 'append')
  const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(join(place.engine, 'bin', 'postgres'), ['-D', clusterOf(place), ...options], {
    ...childOptions(place),
    detached: true,
    stdio: ['ignore', output, output],
  })
  closeSync(output)
  let failure: string | undefined
  child.on('error', (error) => {
    failure = error.message
  })
  child.on('exit', (code) => {
    failure ??= `PostgreSQL ended with code ${code}`
  })
  child.unref()
  // A crash of the machine may have left a lot of log to replay.
  const deadline = Date.now() + 300_000
  while (failure === undefined && Date.now() < deadline) {
    const found = findRunning(place)
    if (found?.ready) return found
    await wait(5)
  }
  return failure ?? 'PostgreSQL does not get ready'
}

/** Waits for a PostgreSQL that another process started; undefined when it ended instead. */
export async function untilReady(place: Place): Promise<Postmaster | undefined> {
  let found = findRunning(place)
  while (found && !found.ready) {
    await wait(20)
    found = findRunning(place)
  }
  return found
}

/** Stops PostgreSQL: connections are cut, everything is on disk when this returns. */
export async function stop(place: Place): Promise<void> {
  if (findRunning(place)) await run(place, 'pg_ctl', ['stop', '-D', clusterOf(place), '-m', 'fast', '-w', '-t', '60'])
}

/** How the two roles reach a running PostgreSQL. */
export function addresses(place: Place, { port, socketFolder }: Postmaster): Cluster {
  const credentials = readCredentials(place)
  const host = socketFolder ? `localhost/vestibule?host=${encodeURIComponent(socketFolder)}&port=${port}` : ''
  const rest = host || `127.0.0.1:${port}/vestibule`
  return {
    ownerUrl: `postgres://vestibule_owner:${credentials.owner}@${rest}`,
    appUrl: `postgres://vestibule_app:${credentials.app}@${rest}`,
  }
}

function checkVersion(place: Place): void {
  const data = readFileSync(join(clusterOf(place), 'PG_VERSION'), 'utf8').trim()
  if (data === '18') return
  throw new DatabaseStartError(`${clusterOf(place)} was made by PostgreSQL ${data}, and this version brings 18`)
}
