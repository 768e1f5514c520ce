import type { Config } from '#server/config.ts'
import { createSystem } from '#server/create-system.ts'
import { backgroundTimeout } from '#server/platform/database/database.ts'
import { createLog } from '#server/platform/log.ts'
import { loadMasterKey } from '#server/platform/secrets/master-key.ts'
import type { System } from '#server/platform/system.ts'
import { type PreparedDatabase, prepareDatabase } from '#server/prepare-database.ts'

interface Work<Result> {
  config: Config
  say: (line: string) => void
  work: (system: System, database: PreparedDatabase) => Promise<Result>
}

/** Runs a command's work with the same configuration and database as the server. The server may be running. */
export async function withSystem<Result>({ config, say, work }: Work<Result>): Promise<Result> {
  const database = await prepareDatabase(config, say)
  try {
    const log = createLog(config.logLevel)
    const system = await createSystem({
      config,
      database,
      statementTimeout: backgroundTimeout,
      masterKey: await loadMasterKey(config),
      log,
    })
    try {
      return await work(system, database)
    } finally {
      await system.close()
    }
  } finally {
    await database.stop()
  }
}
