import type { Config } from './config.ts'
import type { BankId } from './platform/bankid.ts'
import { type Clock, systemClock } from './platform/clock.ts'
import { openDatabase } from './platform/database.ts'
import { openKeys } from './platform/keys.ts'
import { createLimits } from './platform/limits.ts'
import type { createLog } from './platform/log.ts'
import type { MasterKey } from './platform/master-key.ts'
import { createOutbox } from './platform/outbox.ts'
import { createPasswords } from './platform/passwords.ts'
import type { System } from './platform/system.ts'
import { createUsage } from './platform/usage.ts'

interface SystemOptions {
  config: Config
  /** The database to serve from, and a role to take on there. */
  database: { appUrl: string; appRole?: string | undefined }
  masterKey: MasterKey
  log: ReturnType<typeof createLog>
  clock?: Clock
  bankid?: BankId | undefined
}

/** Plugs together what every use case may need. Nothing listens and nothing is sent yet. */
export async function createSystem({
  config,
  database,
  masterKey,
  log,
  clock = systemClock,
  bankid,
}: SystemOptions): Promise<System> {
  const { db, pool, close } = openDatabase({ url: database.appUrl, role: database.appRole })
  const failed = (what: string) => (error: unknown) => log.error({ err: error }, what)
  try {
    const keys = await openKeys({ db, masterKey, clock, onError: failed('the keys could not be read again') })
    const usage = createUsage({
      db,
      limit: config.limits.get('api'),
      onError: failed('the use of sessions could not be merged'),
    })
    return {
      config,
      clock,
      db,
      pool,
      keys,
      usage,
      log,
      limits: createLimits(config.limits),
      outbox: createOutbox({ keys, clock }),
      passwords: createPasswords(),
      bankid,
      async close() {
        keys.close()
        await usage.close()
        await bankid?.close()
        await close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}
