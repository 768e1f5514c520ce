import { hostname } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import type { Config } from '#server/config.ts'
import type { Clock } from '../clock.ts'
import type { DB } from '../database/database-types.ts'
import type { Keys } from '../secrets/keys.ts'

const intervalMs = 30_000
/** A node that was not seen for longer than this is shown as gone; two heartbeats may be late. */
export const nodeGoneAfterMs = 100_000
const forgottenAfterMs = 24 * 3600_000

/** What a person calls this process: two of one machine differ by their ports, or, where a service manager passes the socket, processes. */
export const nodeName = (port: number): string => `${hostname().slice(0, 80)}:${port} (${process.pid})`

interface HeartbeatOptions {
  db: Kysely<DB>
  clock: Clock
  log: Pick<FastifyBaseLogger, 'warn'>
  nodeId: string
  config: Pick<Config, 'port'>
  version: string
  keys: Pick<Keys, 'masterKeys'>
}

/** Records twice a minute that this process runs, until it is stopped. Processes that crashed are removed after a day. */
export function startHeartbeat({ db, clock, log, nodeId, config, version, keys }: HeartbeatOptions): {
  stop(): Promise<void>
} {
  const stopping = new AbortController()
  const startedAt = clock()
  async function beat() {
    const seenAt = clock()
    await db
      .insertInto('nodes')
      .values({ nodeId, host: nodeName(config.port), version, startedAt, seenAt, masterKeys: [...keys.masterKeys] })
      .onConflict((row) => row.column('nodeId').doUpdateSet({ seenAt }))
      .execute()
    await db
      .deleteFrom('nodes')
      .where('seenAt', '<', new Date(seenAt.getTime() - forgottenAfterMs))
      .execute()
  }
  const running = (async () => {
    while (!stopping.signal.aborted) {
      await beat().catch((error) => log.warn({ err: error }, 'this process could not say that it runs'))
      await wait(intervalMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
    await db
      .deleteFrom('nodes')
      .where('nodeId', '=', nodeId)
      .execute()
      .catch(() => {})
  })()
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}
