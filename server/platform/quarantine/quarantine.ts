import { setTimeout as wait } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { DB } from '../database/database-types.ts'

/** Whether this is a restored copy that may not send anything yet (decision 0046). */
export interface Quarantine {
  isActive(): boolean
  /** Resolves when it has ended, or on the signal. */
  ended(signal: AbortSignal): Promise<void>
  close(): void
}

const secondsBetweenReads = 2

/** Reads the state; while it is active it is read again, so that a process notices when an operator ends it. */
export async function openQuarantine({
  db,
  onError,
}: {
  db: Kysely<DB>
  onError: (error: unknown) => void
}): Promise<Quarantine> {
  const read = async () => {
    const row = await db.selectFrom('installation').select('quarantinedSince').executeTakeFirst()
    return row?.quarantinedSince != null
  }
  let active = await read()
  const timer = active
    ? setInterval(() => {
        read().then((now) => {
          active = now
          if (!now) clearInterval(timer)
        }, onError)
      }, secondsBetweenReads * 1000).unref()
    : undefined
  return {
    isActive: () => active,
    async ended(signal) {
      while (active && !signal.aborted) await wait(1000, undefined, { signal }).catch(() => {})
    },
    close: () => clearInterval(timer),
  }
}
