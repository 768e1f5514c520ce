import type { Db } from '#server/platform/database/database.ts'
import type { System } from '#server/platform/system.ts'

/** Shared context while the demo is loaded. */
export interface DemoLoad {
  system: System
  db: Db
  now: Date
  passwordHash: string
  samlConfigId: number
}
