import type { Config } from '#server/config.ts'
import { createSystem } from '#server/create-system.ts'
import { createLog } from '#server/platform/log.ts'
import { loadMasterKey } from '#server/platform/master-key.ts'
import { type PreparedDatabase, prepareDatabase } from '#server/platform/prepare-database.ts'
import type { System } from '#server/platform/system.ts'

interface Work<Result> {
  config: Config
  say: (line: string) => void
  work: (system: System, database: PreparedDatabase) => Promise<Result>
}

/** Runs the work of a command on the system that the server uses, also while the server runs. */
export async function withSystem<Result>({ config, say, work }: Work<Result>): Promise<Result> {
  const database = await prepareDatabase(config, say)
  try {
    const log = createLog(config.logLevel)
    const system = await createSystem({ config, database, masterKey: await loadMasterKey(config), log })
    try {
      return await work(system, database)
    } finally {
      await system.close()
    }
  } finally {
    await database.stop()
  }
}
