import { spawn } from 'node:child_process'
import { closeSync, readFileSync, rmSync, statSync } from 'node:fs'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { readCredentials } from './initialise.ts'
import { createListenSettings } from './listen-settings.ts'
import { DatabaseStartError, type Location } from './location.ts'
import { findRunning, type Postmaster, removeReusedPidFile, removeStalePidFile } from './pid-file.ts'
import { childOptions, clusterFolder, explainFailure, openOwnedFile, readLastError, runProgram } from './programs.ts'

/** A running embedded PostgreSQL, with the connection URLs of its two roles. */
export interface Cluster {
  ownerUrl: string
  appUrl: string
}

// A sixteenth of the memory: small enough for a laptop, and on a server enough to cache the indexes of a million users.
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
  // Queries are short: no parallel workers, no JIT, and no need for a large /dev/shm in a container.
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
 * Starts PostgreSQL detached, so that Ctrl-C in the terminal does not reach it, and waits until it accepts connections. It
 * keeps running when this process is killed.
 *
 * @param overrides additional PostgreSQL settings; tests turn fsync off
 */
export async function startCluster(place: Location, overrides: Record<string, string> = {}): Promise<Postmaster> {
  checkVersion(place)
  removeReusedPidFile(place)
  const all = { ...settings, ...(await createListenSettings(place)), ...overrides }
  const log = join(place.base, logFile)
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) > 5_000_000) rmSync(log)
  // Child processes of a killed PostgreSQL exit within seconds.
  const deadline = Date.now() + 5000
  for (;;) {
    const failure = await launch(place, all)
    if (typeof failure !== 'string') return failure
    const reason = readLastError(log)
    const isOverdue = Date.now() > deadline
    // A zombie process, as in a container without an init, keeps its pid for ever.
    if (isOverdue && removeStalePidFile(place)) continue
    if (isOverdue || !/shared memory block|lock file .* already exists/.test(reason)) {
      throw new DatabaseStartError(`${failure}: ${explainFailure(reason)} (${log})`)
    }
    await wait(200)
  }
}

/** Launches the process; returns an error message when it failed. */
async function launch(place: Location, all: Record<string, string>): Promise<Postmaster | string> {
  const output = openOwnedFile(place, logFile, 'append')
  const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(join(place.engine, 'bin', 'postgres'), ['-D', clusterFolder(place), ...options], {
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
  // After a crash of the machine the recovery may take long.
  const deadline = Date.now() + 300_000
  while (failure === undefined && Date.now() < deadline) {
    const found = findRunning(place)
    if (found?.ready) return found
    await wait(5)
  }
  return failure ?? 'PostgreSQL did not become ready in time'
}

/** Waits for a PostgreSQL that another process started; undefined when it exited. */
export async function waitUntilReady(place: Location): Promise<Postmaster | undefined> {
  let found = findRunning(place)
  while (found && !found.ready) {
    await wait(20)
    found = findRunning(place)
  }
  return found
}

/** Stops PostgreSQL with a fast shutdown; returns when everything is on disk. */
export async function stopCluster(place: Location): Promise<void> {
  if (findRunning(place))
    await runProgram(place, 'pg_ctl', ['stop', '-D', clusterFolder(place), '-m', 'fast', '-w', '-t', '60'])
}

/** The connection URLs of the two roles. */
export function createConnectionUrls(place: Location, { port, socketFolder }: Postmaster): Cluster {
  const credentials = readCredentials(place)
  const host = socketFolder ? `localhost/vestibule?host=${encodeURIComponent(socketFolder)}&port=${port}` : ''
  const rest = host || `127.0.0.1:${port}/vestibule`
  return {
    ownerUrl: `postgres://vestibule_owner:${credentials.owner}@${rest}`,
    appUrl: `postgres://vestibule_app:${credentials.app}@${rest}`,
  }
}

function checkVersion(place: Location): void {
  const data = readFileSync(join(clusterFolder(place), 'PG_VERSION'), 'utf8').trim()
  if (data === '18') return
  throw new DatabaseStartError(`${clusterFolder(place)} was created by PostgreSQL ${data}, and this version uses 18`)
}
