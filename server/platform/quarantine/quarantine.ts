import { setTimeout as wait } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { DB } from '../database/database-types.ts'

/** Whether this is a restored copy that may not send anything yet (decision 0046). */
export interface Quarantine {
  isActive(): boolean
  /** Since when it is one. */
  since(): Date | null
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
    return row?.quarantinedSince ?? null
  }
  let since = await read()
  const timer = since
    ? setInterval(() => {
        read().then((now) => {
          since = now
          if (!now) clearInterval(timer)
        }, onError)
      }, secondsBetweenReads * 1000).unref()
    : undefined
  return {
    isActive: () => since !== null,
    since: () => since,
    async ended(signal) {
      while (since && !signal.aborted) await wait(1000, undefined, { signal }).catch(() => {})
    },
    close: () => clearInterval(timer),
  }
}
