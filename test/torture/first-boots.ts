import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { startEmbeddedPostgres } from '#server/embedded-postgres/embedded-postgres.ts'
import { startServerProcess, temporaryDataDir } from '../process/server-process.ts'

/**
 * Kills a portal at random moments of its first start, while it makes the database, migrates it and loads the demo, until
 * `kills` are done; then lets it start.
 *
 * @returns a line for each way in which what stands then differs from an undisturbed first start
 */
export async function tortureFirstBoot(kills: number): Promise<string[]> {
  const { dataDir, remove } = temporaryDataDir()
  const env = { DEMO: 'on', LOG_LEVEL: 'fatal' }
  try {
    for (let count = 0; count < kills; count++) {
      const doomed = await startServerProcess({ dataDir, env })
      await Promise.race([wait(100 + Math.random() * 4000), doomed.ended])
      doomed.signal('SIGKILL')
      await doomed.ended
    }
    const node = await startServerProcess({ dataDir, env })
    await node.ready
    const found = await contents(dataDir)
    node.signal('SIGINT')
    await node.ended
    const expected = await undisturbed()
    return Object.keys(expected)
      .filter((table) => expected[table] !== found[table])
      .map(
        (table) =>
          `after ${kills} kills in first starts ${table} has ${found[table]} rows instead of ${expected[table]}`,
      )
  } finally {
    remove()
  }
}

let undisturbedContents: Record<string, string> | undefined

async function undisturbed(): Promise<Record<string, string>> {
  if (undisturbedContents) return undisturbedContents
  const { dataDir, remove } = temporaryDataDir()
  const node = await startServerProcess({ dataDir, env: { DEMO: 'on', LOG_LEVEL: 'fatal' } })
  await node.ready
  undisturbedContents = await contents(dataDir)
  node.signal('SIGINT')
  await node.ended
  remove()
  return undisturbedContents
}

async function contents(dataDir: string): Promise<Record<string, string>> {
  const attached = await startEmbeddedPostgres({ dataDir, say: () => {} })
  const database = new pg.Client({ connectionString: attached.ownerUrl })
  await database.connect()
  const found: Record<string, string> = {}
  for (const table of [
    'organizations',
    'users',
    'memberships',
    'services',
    'service_assignments',
    'clients',
    'migrations',
  ]) {
    const { rows } = await database.query<{ count: string }>(`select count(*) from ${table}`)
    found[table] = rows[0]?.count ?? ''
  }
  await database.end()
  await attached.stop()
  return found
}
