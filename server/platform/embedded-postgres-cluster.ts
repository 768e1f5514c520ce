import { type SpawnOptions, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Account, DatabaseStartError, type Place } from './embedded-postgres-place.ts'

/** A running embedded PostgreSQL, with the address of each of its two roles. */
export interface Cluster {
  ownerUrl: string
  appUrl: string
}

interface Credentials {
  owner: string
  app: string
}

// Small enough for a laptop or a small server; the portal's queries need no more.
const settings: Record<string, string> = {
  shared_buffers: '128MB',
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

const clusterOf = (place: Place) => join(place.base, 'cluster')
const logOf = (place: Place) => join(place.base, 'postgres.log')
const own = (path: string, account: Account | undefined) => account && chownSync(path, account.uid, account.gid)

/** What `postmaster.pid` says. */
interface Postmaster {
  pid: number
  port: number
  socketFolder: string
  ready: boolean
}

/** The running PostgreSQL of a place, or undefined: a file that a killed machine left behind does not count. */
export function findRunning(place: Place): Postmaster | undefined {
  const lines = readPidFile(place)
  if (!lines) return undefined
  const [pid, , , port, socketFolder = '', , , status = ''] = lines
  const command = commandOf(Number(pid))
  // The file names whoever has the number now; Linux tells whether that is our PostgreSQL.
  if (!command || (process.platform === 'linux' && !command.includes(`\0${clusterOf(place)}\0`))) return undefined
  return { pid: Number(pid), port: Number(port), socketFolder, ready: status.trim() === 'ready' }
}

function readPidFile(place: Place): string[] | undefined {
  try {
    return readFileSync(join(clusterOf(place), 'postmaster.pid'), 'utf8').split('\n')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** The command line of a process; undefined when there is none of that number. */
function commandOf(pid: number): string | undefined {
  if (!Number.isInteger(pid) || pid <= 0) return undefined
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    process.kill(pid, 0)
    return 'postgres'
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? 'postgres' : undefined
  }
}

/**
 * After a restart of the machine the number in the file may belong to any other process, and PostgreSQL would not
 * start. Where nobody has the number, PostgreSQL itself judges better: it also sees processes that outlived it.
 */
function forgetReusedNumber(place: Place): void {
  const command = commandOf(Number(readPidFile(place)?.[0]))
  if (command && !command.includes('postgres')) rmSync(join(clusterOf(place), 'postmaster.pid'))
}

/**
 * Initialises the cluster. It is complete or it is not there: roles and database are made before it gets its name.
 */
export async function initialise(place: Place): Promise<void> {
  const unfinished = join(place.base, 'cluster.unfinished')
  await rm(unfinished, { recursive: true, force: true })
  const credentials: Credentials = { owner: newPassword(), app: newPassword() }
  const passwordFile = join(place.base, 'password')
  writeFileSync(passwordFile, newPassword(), { mode: 0o600 })
  own(passwordFile, place.account)
  try {
    await run(place, 'initdb', [
      `--pgdata=${unfinished}`,
      '--username=postgres',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=icu',
      '--icu-locale=sv',
    ])
  } finally {
    rmSync(passwordFile)
  }
  const statements = [
    `create role vestibule_owner login createdb password '${credentials.owner}'`,
    `create role vestibule_app login password '${credentials.app}'`,
    'create database vestibule owner vestibule_owner',
    'revoke all on database vestibule from public',
    'grant connect on database vestibule to vestibule_app',
  ]
  const answer = await run(place, 'postgres', ['--single', '-D', unfinished, 'postgres'], `${statements.join('\n')}\n`)
  if (answer.includes('ERROR:'))
    throw new DatabaseStartError(`the new database could not be set up: ${lastLine(answer)}`)
  const file = join(place.base, 'credentials.json')
  writeFileSync(file, JSON.stringify(credentials), { mode: 0o600, flush: true })
  own(file, place.account)
  await rename(unfinished, clusterOf(place))
}

export const isInitialised = (place: Place): boolean => existsSync(clusterOf(place))

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
  const log = logOf(place)
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) > 5_000_000) rmSync(log)
  // Backends of a killed PostgreSQL notice within seconds that they are alone.
  const patience = Date.now() + 15_000
  for (;;) {
    const failure = await launch(place, all)
    if (typeof failure !== 'string') return failure
    const reason = lastFatal(log)
    if (!/shared memory block/.test(reason) || Date.now() > patience) {
      throw new DatabaseStartError(`${failure}: ${explain(reason)} (${log})`)
    }
    await wait(200)
  }
}

/** Launches the process; the answer is a text when it failed. */
async function launch(place: Place, all: Record<string, string>): Promise<Postmaster | string> {
  const output = openSync(logOf(place), 'a', 0o600)
  own(logOf(place), place.account)
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
  const credentials = JSON.parse(readFileSync(join(place.base, 'credentials.json'), 'utf8')) as Credentials
  const host = socketFolder ? `localhost/vestibule?host=${encodeURIComponent(socketFolder)}&port=${port}` : ''
  const rest = host || `127.0.0.1:${port}/vestibule`
  return {
    ownerUrl: `postgres://vestibule_owner:${credentials.owner}@${rest}`,
    appUrl: `postgres://vestibule_app:${credentials.app}@${rest}`,
  }
}

// A socket that only the account can reach; Windows has none that PostgreSQL and Node share.
async function transport(place: Place): Promise<Record<string, string>> {
  if (process.platform === 'win32') {
    return { listen_addresses: '127.0.0.1', port: String(await freePort()), unix_socket_directories: '' }
  }
  return { listen_addresses: '', port: '5432', unix_socket_directories: socketFolder(place) }
}

function socketFolder(place: Place): string {
  const near = join(place.base, 'run')
  // The system takes at most 107 bytes for the path of a socket.
  const fits = Buffer.byteLength(join(near, '.s.PGSQL.5432')) <= 107
  const id = createHash('sha256').update(place.base).digest('hex').slice(0, 16)
  const folder = fits ? near : join(tmpdir(), `vestibule-${id}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  own(folder, place.account)
  const { uid } = lstatSync(folder)
  if (!lstatSync(folder).isDirectory() || uid !== (place.account?.uid ?? process.getuid?.())) {
    throw new DatabaseStartError(`${folder} belongs to another account`)
  }
  chmodSync(folder, 0o700)
  return folder
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

function checkVersion(place: Place): void {
  const data = readFileSync(join(clusterOf(place), 'PG_VERSION'), 'utf8').trim()
  if (data === '18') return
  throw new DatabaseStartError(`${clusterOf(place)} was made by PostgreSQL ${data}, and this version brings 18`)
}

const newPassword = () => randomBytes(24).toString('base64url')

const childOptions = (place: Place): SpawnOptions => ({
  cwd: place.base,
  // The account that asks may speak any language; the messages that are read here are English.
  env: { PATH: process.env.PATH, SYSTEMROOT: process.env.SYSTEMROOT, LC_ALL: 'C', TZ: 'UTC' },
  ...(place.account ?? {}),
})

function run(place: Place, command: string, options: string[], input = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(join(place.engine, 'bin', command), options, { ...childOptions(place), stdio: 'pipe' })
    let output = ''
    child.stdout?.on('data', (chunk) => {
      output += chunk
    })
    child.stderr?.on('data', (chunk) => {
      output += chunk
    })
    child.on('error', (error) => reject(new DatabaseStartError(`${command}: ${error.message}`)))
    child.on('close', (code) =>
      code === 0 ? resolve(output) : reject(new DatabaseStartError(`${command}: ${explain(lastLine(output))}`)),
    )
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
  })
}

const lastLine = (text: string) =>
  text
    .split('\n')
    .filter((line) => /error|fatal|panic|no space|denied|could not/i.test(line))
    .at(-1)
    ?.trim() ??
  text.trim().split('\n').at(-1) ??
  ''

const lastFatal = (log: string) => lastLine(readFileSync(log, 'utf8').slice(-10_000))

function explain(line: string): string {
  if (/no space left/i.test(line)) return `the disk is full: ${line}`
  if (/permission denied/i.test(line)) return `the account may not write there: ${line}`
  return line
}
