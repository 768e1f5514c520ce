import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { attachCluster, type EmbeddedPostgres } from '#server/embedded-postgres/embedded-postgres.ts'
import { placeAt } from '#test/temporary-postgres.ts'

/** A cluster whose data stays when it is stopped, and the settings of a portal on it. */
export interface KeptCluster extends EmbeddedPostgres {
  settings: Record<string, string>
}

/** What a seed writes in its folder when it is whole. */
export interface Seeded {
  people: number
  events: number
  seconds: number
}

const noteIn = (folder: string) => join(folder, 'seeded.json')

/** What the folder was seeded with; undefined for a new folder. */
export function seededIn(folder: string): Seeded | undefined {
  if (existsSync(noteIn(folder))) return JSON.parse(readFileSync(noteIn(folder), 'utf8')) as Seeded
  if (existsSync(folder)) throw new Error(`the seed in ${folder} did not come to its end: remove the folder`)
  return undefined
}

export const noteSeeded = (folder: string, seeded: Seeded): void =>
  writeFileSync(noteIn(folder), `${JSON.stringify(seeded)}\n`)

/** @param overrides further settings of PostgreSQL; without them it has those of every embedded database */
export async function startKept(folder: string, overrides: Record<string, string> = {}): Promise<KeptCluster> {
  const [base, data] = [join(folder, 'postgres'), join(folder, 'data')]
  mkdirSync(base, { recursive: true })
  // The account of PostgreSQL passes through.
  chmodSync(folder, 0o755)
  chmodSync(base, 0o700)
  mkdirSync(data, { recursive: true, mode: 0o700 })
  const cluster = await attachCluster(await placeAt(base), { say: () => {}, overrides })
  return {
    ...cluster,
    settings: { DATABASE_URL: cluster.appUrl, DATABASE_OWNER_URL: cluster.ownerUrl, DATA_DIR: data },
  }
}
