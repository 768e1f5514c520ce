import type { Db } from '#server/platform/database.ts'
import { revokeAll } from '#server/platform/one-time.ts'
import { resetPurpose } from './send-reset.ts'

/** Makes the reset links of an account useless: its password has been chosen by other means. */
export const revokeResetLinks = (db: Db, accountId: string, now: Date): Promise<void> =>
  revokeAll(db, { purpose: resetPurpose, subject: accountId }, now)
