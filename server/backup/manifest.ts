import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readQueuesVersion } from '#server/platform/database/install-queues.ts'
import { migrationsFolder, readMigrations } from '#server/platform/database/migrate.ts'
import { projectFolder } from '#server/setting-checks.ts'

/** The first line of a backup's content. */
export interface Manifest {
  createdAt: string
  /** Version of the portal that wrote it. */
  portal: string
  /** Differs between versions whose tables differ. */
  tables: string
}

/** What this version writes, and reads. */
export function currentManifest(now: Date): Manifest {
  const { version } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8'))
  const last = readMigrations(migrationsFolder).at(-1)
  return {
    createdAt: now.toISOString(),
    portal: version,
    tables: `${last?.name} ${last?.sha256} ${readQueuesVersion()}`,
  }
}
