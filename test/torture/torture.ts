import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { startEmbeddedPostgres } from '#server/embedded-postgres/embedded-postgres.ts'
import { freePort } from '#test/free-port.ts'
import { startServerProcess, temporaryDataDir } from '../process/server-process.ts'
import { findLosses } from './find-losses.ts'
import { failPower, killDatabase, startAgain } from './kills.ts'
import { mountLossyDisk } from './lossy-disk.ts'
import { type Ledger, startWriters } from './writers.ts'

/**
 * Where PostgreSQL runs: as a child of the portal's process, or as a server of its own. On the lossy disks it is embedded, all data is
 * on a disk that loses what was not synced, and the power fails in place of a kill; `lossyUnsynced` lets PostgreSQL
 * acknowledge before it syncs, which shows that the disk loses.
 */
export type Setup = 'embedded' | 'external' | 'lossy' | 'lossyUnsynced'

export interface Outcome {
  kills: { node: number; database: number; power: number }
  /** Milliseconds from each kill, or from the return of the power, to the next 200 of `/health/ready`. */
  readyAfter: number[]
  acknowledged: number
  unanswered: number
  /** One line for everything that was acknowledged and is gone, or written by half. */
  losses: string[]
}

export const noLimits = Object.fromEntries(
  [
    'API',
    'AUTH_TYPE',
    'BEGUN_SIGN_IN',
    'ADDRESS_FAILURES',
    'ADDRESS_FAILURES_HOURLY',
    'INVITATION',
    'IMPORTED_INVITATION',
  ].map((name) => [`LIMIT_${name}`, '9999999/60']),
)

/** Kills a portal or its database `kills` times while four writers are at work, and looks for what was lost. */
export async function torture(setup: Setup, kills: number, say: (line: string) => void): Promise<Outcome> {
  const place = temporaryDataDir()
  const disk = setup.startsWith('lossy') ? await mountLossyDisk(place.dataDir) : undefined
  const database = setup === 'external' ? temporaryDataDir() : place
  const server =
    setup === 'external' ? await startEmbeddedPostgres({ dataDir: database.dataDir, say: () => {} }) : undefined
  const port = String(await freePort())
  const env = {
    PORT: port,
    DEMO: 'on',
    LOG_LEVEL: 'fatal',
    ...noLimits,
    ...(server && { DATABASE_URL: server.appUrl, DATABASE_OWNER_URL: server.ownerUrl }),
  }
  let node = await startServerProcess({ dataDir: place.dataDir, env })
  const outcome: Outcome = {
    kills: { node: 0, database: 0, power: 0 },
    readyAfter: [],
    acknowledged: 0,
    unanswered: 0,
    losses: [],
  }
  try {
    await node.ready
    if (setup === 'lossyUnsynced') {
      await acknowledgeUnsynced(place.dataDir)
      node = await startAgain(node, { dataDir: place.dataDir, env })
    }
    const writers = await startWriters(node.url, Date.now().toString(36))
    for (let count = 0; count < kills; count++) {
      await wait(200 + Math.random() * 1500)
      const victim = disk ? 'power' : Math.random() < 0.5 ? 'node' : 'database'
      const start = { dataDir: place.dataDir, env }
      if (disk) await failPower(node, disk, place.dataDir)
      const since = performance.now()
      if (victim === 'database') node = await killDatabase(node, database.dataDir, start)
      else node = await startAgain(node, start)
      outcome.kills[victim]++
      outcome.readyAfter.push(performance.now() - since)
      if ((count + 1) % 25 === 0) say(`${setup}: ${count + 1} kills`)
    }
    await wait(500)
    await writers.stop()
    const ownerUrl = server?.ownerUrl ?? (await ownerUrlOf(database.dataDir))
    outcome.losses = [...(await findLosses(ownerUrl, writers.ledger)), ...(await verifyChain(place.dataDir, env))]
    outcome.acknowledged = countOf(writers.ledger)
    outcome.unanswered = writers.ledger.unanswered
  } finally {
    node.signal('SIGINT')
    await node.ended
    await server?.stop()
    await disk?.remove()
    for (const { remove } of new Set([place, database])) remove()
  }
  return outcome
}

export const countOf = ({ signIns, edits, invited }: Ledger) =>
  [...signIns.values()].reduce((sum, one) => sum + one, 0) +
  [...edits.values()].reduce((sum, { length }) => sum + length, 0) +
  invited.length

/** What the portal's sessions commit from now on is acknowledged before it is on disk. */
async function acknowledgeUnsynced(dataDir: string): Promise<void> {
  const attached = await startEmbeddedPostgres({ dataDir, say: () => {} })
  const database = new pg.Client({ connectionString: attached.appUrl })
  await database.connect()
  await database.query('alter role current_user set synchronous_commit = off')
  await database.end()
  await attached.stop()
}

export async function ownerUrlOf(dataDir: string): Promise<string> {
  const attached = await startEmbeddedPostgres({ dataDir, say: () => {} })
  await attached.stop()
  return attached.ownerUrl
}

const root = join(import.meta.dirname, '..', '..')

/** @returns why the audit log's chain does not hold, if so */
export async function verifyChain(dataDir: string, env: Record<string, string>): Promise<string[]> {
  const child = spawn(process.execPath, ['server/admin.ts', 'audit', 'verify'], {
    cwd: root,
    env: { PATH: process.env.PATH, DATA_DIR: realpathSync(dataDir), ...env },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  const [code] = await once(child, 'close')
  return code === 0 ? [] : [`audit verify: ${output}`]
}
