import { chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { holdCluster, stopCluster } from '#server/platform/embedded-postgres.ts'
import { installedEngine, type Place, postgresAccount, systemEngine } from '#server/platform/embedded-postgres-place.ts'

const silent = () => {}
const prefix = 'vestibule-test-'

/** An embedded PostgreSQL of its own for one run, without a trace after it. */
export async function startThrowAwayPostgres() {
  await sweep()
  const base = mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`))
  const place = await placeAt(base)
  const cluster = await holdCluster(place, {
    say: silent,
    overrides: {
      // Only here: nobody misses this data after a power cut.
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      // A worker for each core, with the pools of two portals and what its tests open beside them.
      max_connections: String(100 + 50 * availableParallelism()),
    },
  })
  const stop = async () => {
    await cluster.stop()
    rmSync(base, { recursive: true, force: true })
  }
  return { ...cluster, stop }
}

async function placeAt(base: string): Promise<Place> {
  if (process.getuid?.() !== 0) return { base, engine: installedEngine().folder }
  const account = postgresAccount(silent)
  chownSync(base, account.uid, account.gid)
  return { base, account, engine: await systemEngine(silent) }
}

/** Clears away what a killed run left behind. */
async function sweep(): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    const [, pid] = new RegExp(`^${prefix}([0-9]+)-`).exec(name) ?? []
    if (!pid || isAlive(Number(pid))) continue
    const base = join(tmpdir(), name)
    try {
      await stopCluster(await placeAt(base))
      rmSync(base, { recursive: true, force: true })
    } catch {
      // Another account's.
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
