import pg from 'pg'
import { addresses, type Cluster, start, stop, untilReady } from './embedded-postgres-cluster.ts'
import { initialise, isInitialised } from './embedded-postgres-initialise.ts'
import { DatabaseStartError, type Place, placeFor } from './embedded-postgres-place.ts'
import { withProcessLock } from './process-lock.ts'

/** The embedded PostgreSQL as one process sees it. */
export interface EmbeddedPostgres extends Cluster {
  /** It was running already: another process shares it, or the last one was killed. */
  attached: boolean
  /** Lets go of it, and stops it when no other process holds it. */
  stop(): Promise<void>
}

interface Options {
  /** Where its data is; a path that stays the same names the same database. */
  dataDir: string
  /** Tells the operator what happens, one line each. */
  say: (line: string) => void
}

// Every process that uses the database holds this lock, shared, on a connection of its own: PostgreSQL itself knows
// who is still there, also after a kill.
const usersLock = 1_986_622_068

/**
 * Starts the embedded PostgreSQL of a data folder, or attaches to the one that runs there already. Any number of
 * processes of one machine may do so at once.
 *
 * @throws DatabaseStartError with one line for the operator
 */
export async function startEmbeddedPostgres({ dataDir, say }: Options): Promise<EmbeddedPostgres> {
  const place = await placeFor(dataDir, say).catch(explainFolder)
  return holdCluster(place, { say })
}

/**
 * The same in a place that is known already.
 *
 * @param overrides settings of PostgreSQL on top of the usual ones
 */
export async function holdCluster(
  place: Place,
  { say, overrides }: { say: (line: string) => void; overrides?: Record<string, string> },
): Promise<EmbeddedPostgres> {
  const lock = `the database in ${place.base}`
  let leaving = false
  let holder: pg.Client | undefined

  const hold = async (): Promise<{ cluster: Cluster; attached: boolean }> => {
    let running = await untilReady(place)
    const attached = running !== undefined
    if (!running) {
      if (!isInitialised(place)) {
        say('Initialising PostgreSQL ...')
        await initialise(place).catch(explainFolder)
      }
      running = await start(place, overrides).catch(explainFolder)
    }
    const cluster = addresses(place, running)
    const client = new pg.Client({ connectionString: cluster.ownerUrl, application_name: 'vestibule holder' })
    client.on('error', () => {
      if (!leaving && holder === client) comeBack()
    })
    await client.connect()
    await client.query('select pg_advisory_lock_shared($1)', [usersLock])
    holder = client
    return { cluster, attached }
  }

  // PostgreSQL restarts itself after a crash of one of its processes; when it is gone altogether, it is started anew.
  const comeBack = (delay = 100) => {
    holder = undefined
    setTimeout(() => {
      if (leaving) return
      withProcessLock(lock, hold).catch(() => comeBack(Math.min(delay * 2, 5000)))
    }, delay).unref()
  }

  const leave = async () => {
    leaving = true
    const client = holder
    if (!client) return
    await client.query('select pg_advisory_unlock_shared($1)', [usersLock])
    const { rows } = await client.query('select pg_try_advisory_lock($1) as last', [usersLock])
    await client.end()
    if (rows[0].last) await stop(place)
  }

  const { cluster, attached } = await withProcessLock(lock, hold)
  return { ...cluster, attached, stop: () => withProcessLock(lock, leave) }
}

/** Stops a PostgreSQL that nobody needs any more, whoever holds it. */
export async function stopCluster(place: Place): Promise<void> {
  await stop(place)
}

function explainFolder(error: NodeJS.ErrnoException): never {
  const reasons: Record<string, string> = {
    EACCES: 'this account may not write there',
    EPERM: 'this account may not write there',
    EROFS: 'the disk is read-only',
    ENOSPC: 'the disk is full',
    ENOTDIR: 'a part of the path is a file',
    EEXIST: 'a file is in the way',
  }
  const reason = reasons[error.code ?? '']
  throw reason ? new DatabaseStartError(`${error.path ?? 'the data folder'}: ${reason}`) : error
}
