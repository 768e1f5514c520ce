import packageFile from '../package.json' with { type: 'json' }
import type { Config } from './config.ts'
import { type Clock, systemClock } from './platform/clock.ts'
import { createCounters } from './platform/counters.ts'
import { openDatabase } from './platform/database/database.ts'
import { watchReadCopy } from './platform/database/read-copy.ts'
import { newId } from './platform/ids.ts'
import { createCallLimiter } from './platform/limits/call-limiter.ts'
import { createLimits } from './platform/limits/limits.ts'
import type { createLog } from './platform/log.ts'
import { createOutbox } from './platform/messages/outbox.ts'
import { createOutgoing } from './platform/outgoing/outgoing.ts'
import { openQuarantine } from './platform/quarantine/quarantine.ts'
import { openKeys } from './platform/secrets/keys.ts'
import { openLeakedPasswords } from './platform/secrets/leaked-passwords.ts'
import type { MasterKey } from './platform/secrets/master-key.ts'
import { createPasswords, type Passwords } from './platform/secrets/passwords.ts'
import type { System } from './platform/system.ts'

interface SystemOptions {
  config: Config
  /** The database address, and the role to assume there. */
  database: { appUrl: string; appRole?: string | undefined; poolerUrl?: string | undefined }
  /** Statement timeout in seconds, for work outside requests. */
  statementTimeout?: number
  masterKey: MasterKey
  log: ReturnType<typeof createLog>
  clock?: Clock
  passwords?: Passwords
}

/** Creates the services that use cases depend on. Opens no port and sends nothing yet. */
export async function createSystem({
  config,
  database,
  statementTimeout,
  masterKey,
  log,
  clock = systemClock,
  passwords = createPasswords(),
}: SystemOptions): Promise<System> {
  const { db, pool, close } = openDatabase({
    url: database.appUrl,
    role: database.appRole,
    // Commands take longer than a pooler allows.
    ...(statementTimeout ? { statementTimeout } : { poolerUrl: database.poolerUrl }),
  })
  const readUrl = statementTimeout ? undefined : config.databaseReadUrl?.reveal()
  const readCopy =
    readUrl === undefined
      ? undefined
      : watchReadCopy({
          replica: openDatabase({ url: readUrl, role: database.appRole, readOnly: true }),
          primary: pool,
          maxLag: config.databaseReadMaxLag,
          log,
        })
  const failed = (what: string) => (error: unknown) => log.error({ err: error }, what)
  try {
    const keys = await openKeys({ db, masterKey, clock, onError: failed('the keys could not be read again') })
    const quarantine = await openQuarantine({ db, onError: failed('the quarantine could not be read again') })
    const outgoing = createOutgoing({
      log,
      isQuarantined: quarantine.isActive,
      production: config.production,
      allow: config.outgoingAllow,
      proxy: config.outgoingProxy?.reveal(),
    })
    const leakedPasswords = await openLeakedPasswords(config.leakedPasswordsFile)
    const counters = createCounters()
    return {
      nodeId: newId(),
      version: packageFile.version,
      counters,
      config,
      clock,
      db,
      pool,
      readCopy,
      keys,
      callLimiter: createCallLimiter(config.limits.api),
      decisionLimiter: createCallLimiter(config.limits.decision),
      directoryLimiter: createCallLimiter(config.limits.scim),
      strangerLimiter: createCallLimiter(config.limits.begunSignInTotal),
      log,
      limits: createLimits(config.limits, (limit) => counters.limitsHit.inc({ limit })),
      outbox: createOutbox({ keys, clock }),
      outgoing,
      passwords,
      leakedPasswords,
      quarantine,
      async close() {
        keys.close()
        quarantine.close()
        await leakedPasswords.close()
        await outgoing.close()
        await readCopy?.close()
        await close()
      },
    }
  } catch (error) {
    await readCopy?.close()
    await close()
    throw error
  }
}
