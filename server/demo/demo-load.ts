import type { Db } from '#server/platform/database/database.ts'
import type { System } from '#server/platform/system.ts'

/** Shared context while the demo is loaded. */
export interface DemoLoad {
  system: System
  db: Db
  now: Date
  /** When the demo's story begins. */
  since: Date
  passwordHash: string
  samlConfigId: number
}

export const dayMs = 24 * 60 * 60 * 1000

/** Days that the audit log reaches back. */
export const storyDays = 60
