import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { attachCluster } from '#server/embedded-postgres/embedded-postgres.ts'
import {
  ensurePostgresAccount,
  ensureSystemEngine,
  findInstalledEngine,
  type Location,
} from '#server/embedded-postgres/location.ts'
import { cleanUpOnExit } from '#test/watchdog.mjs'

const silent = () => {}

/** Starts an embedded PostgreSQL for one test run, which leaves no files behind. */
export async function startTemporaryPostgres() {
  const base = mkdtempSync(join(tmpdir(), 'vestibule-test-'))
  const cleared = cleanUpOnExit({ cluster: join(base, 'cluster'), folders: [base] })
  const place = await placeAt(base)
  const cluster = await attachCluster(place, {
    say: silent,
    overrides: {
      // Safe only here: test data may be lost in a power cut.
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      // Three workers per two cores, each with the pools of two portals and a few more connections.
      max_connections: String(100 + 75 * availableParallelism()),
    },
  })
  const stop = async () => {
    await cluster.stop()
    rmSync(base, { recursive: true, force: true })
    cleared()
  }
  return { ...cluster, stop }
}

/** A cluster in this folder, which becomes that of the account that PostgreSQL runs as. */
export async function placeAt(base: string): Promise<Location> {
  if (process.getuid?.() !== 0) return { base, engine: findInstalledEngine().folder }
  const account = ensurePostgresAccount(silent)
  chownSync(base, account.uid, account.gid)
  return { base, account, engine: await ensureSystemEngine(silent) }
}
