import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import type { DB } from '../../database/database-types.ts'
import type { Keys } from '../../secrets/keys.ts'
import type { AuditRetention } from '../retention.ts'

/** The settings of cold storage, and for how long events are kept anywhere. */
export interface ColdSettings extends AuditRetention {
  /** 0: never. */
  auditColdAfterMonths: number
  auditColdDir?: string | undefined
}

/** What a move of months needs. */
export interface ColdOptions {
  db: Kysely<DB>
  keys: Keys
  now: Date
  log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
  settings: ColdSettings
}
