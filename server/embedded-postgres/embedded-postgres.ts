import { existsSync, realpathSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { type Cluster, createConnectionUrls, startCluster, stopCluster, waitUntilReady } from './cluster.ts'
import { initialiseCluster, isInitialised } from './initialise.ts'
import { DatabaseStartError, type Location, resolveLocation } from './location.ts'
import { withProcessLock } from './process-lock.ts'

/** The embedded PostgreSQL as one process sees it. */
export interface EmbeddedPostgres extends Cluster {
  /** Whether it was already running: another process uses it, or the last one was killed. */
  attached: boolean
  /** Detaches, and stops PostgreSQL when no other process uses it. */
  stop(): Promise<void>
}

interface Options {
  /** The data folder, which identifies the database. */
  dataDir: string
  /** Prints a line for the operator. */
  say: (line: string) => void
}

// Every process that uses the database holds this shared advisory lock on a dedicated connection. PostgreSQL releases it
// when a process is killed.
const usersLock = 1_986_622_068

/**
 * Starts the embedded PostgreSQL of a data folder, or attaches to the running one. Several processes of one machine may do
 * so at the same time.
 *
 * @throws DatabaseStartError with one line for the operator
 */
export async function startEmbeddedPostgres({ dataDir, say }: Options): Promise<EmbeddedPostgres> {
  const isNew = !existsSync(dataDir)
  let place: Location | undefined
  try {
    place = await resolveLocation(dataDir, say).catch(explainFolder)
    return await attachCluster(place, { say })
  } catch (error) {
    // A start that failed leaves no folder behind, and no database that was never there.
    if (isNew && error instanceof DatabaseStartError && !(place && isInitialised(place))) removeNew(dataDir)
    throw error
  }
}

function removeNew(dataDir: string): void {
  const entry = join(dataDir, 'postgres')
  if (existsSync(entry)) rmSync(realpathSync(entry), { recursive: true, force: true })
  rmSync(entry, { recursive: true, force: true })
  try {
    rmdirSync(dataDir)
  } catch {
    // It is not there, or another process has put something in it.
  }
}

/**
 * The same for a resolved location.
 *
 * @param overrides additional PostgreSQL settings
 */
export async function attachCluster(
  place: Location,
  { say, overrides }: { say: (line: string) => void; overrides?: Record<string, string> },
): Promise<EmbeddedPostgres> {
  const lock = `the database in ${place.base}`
  let detaching = false
  let holder: pg.Client | undefined

  const attach = async (): Promise<{ cluster: Cluster; attached: boolean }> => {
    let running = await waitUntilReady(place)
    const attached = running !== undefined
    if (!running) {
      if (!isInitialised(place)) {
        say('Initialising PostgreSQL ...')
        await initialiseCluster(place).catch(explainFolder)
      }
      running = await startCluster(place, overrides).catch(explainFolder)
    }
    const cluster = createConnectionUrls(place, running)
    const client = new pg.Client({ connectionString: cluster.ownerUrl, application_name: 'vestibule holder' })
    client.on('error', () => {
      if (!detaching && holder === client) reattach()
    })
    await client.connect()
    await client.query('select pg_advisory_lock_shared($1)', [usersLock])
    holder = client
    return { cluster, attached }
  }

  // PostgreSQL restarts by itself after a crash of a child process; if the postmaster is gone, start it again.
  const reattach = (delay = 100) => {
    holder = undefined
    setTimeout(() => {
      if (detaching) return
      withProcessLock(lock, attach).catch((error: Error) => {
        // Once: the first try may come while it still recovers.
        if (delay === 1600) say(`Warning: the database does not start again: ${error.message}`)
        reattach(Math.min(delay * 2, 5000))
      })
    }, delay).unref()
  }

  const detach = async () => {
    detaching = true
    const client = holder
    if (!client) return
    await client.query('select pg_advisory_unlock_shared($1)', [usersLock])
    const { rows } = await client.query('select pg_try_advisory_lock($1) as last', [usersLock])
    await client.end()
    if (rows[0].last) await stopCluster(place)
  }

  const { cluster, attached } = await withProcessLock(lock, attach)
  return { ...cluster, attached, stop: () => withProcessLock(lock, detach) }
}

function explainFolder(error: NodeJS.ErrnoException): never {
  const reasons: Record<string, string> = {
    EACCES: 'this account may not write there',
    EPERM: 'this account may not write there',
    EROFS: 'the disk is read-only',
    ENOSPC: 'the disk is full',
    EDQUOT: 'the quota is used up',
    ENOTDIR: 'a part of the path is a file',
    EEXIST: 'a file is in the way',
  }
  const reason = reasons[error.code ?? '']
  throw reason ? new DatabaseStartError(`${error.path ?? 'the data folder'}: ${reason}`) : error
}
