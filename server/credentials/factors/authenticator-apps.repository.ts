import type { Db } from '#server/platform/database/database.ts'
import type { Keys } from '#server/platform/secrets/keys.ts'
import { seal, unseal } from '#server/platform/secrets/sealing.ts'
import { matchingSteps } from './totp.ts'

const cell = (accountId: string) => ({ table: 'authenticator_apps', column: 'secret_sealed', row: accountId })

interface NewApp {
  accountId: string
  secret: Buffer
  /** The step of the code that set it up: that code has been used. */
  step: number
}

/** Keeps an app; the account has none. */
export async function insertApp(db: Db, keys: Keys, { accountId, secret, step }: NewApp, now: Date): Promise<void> {
  const secretSealed = seal(keys, 'fields', cell(accountId), secret)
  await db.insertInto('authenticatorApps').values({ accountId, secretSealed, lastStep: step, createdAt: now }).execute()
}

/** Whether the account has an app. */
export async function hasApp(db: Db, accountId: string): Promise<boolean> {
  const app = await db
    .selectFrom('authenticatorApps')
    .select('accountId')
    .where('accountId', '=', accountId)
    .executeTakeFirst()
  return app !== undefined
}

/** @returns false where there was none */
export async function deleteApp(db: Db, accountId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('authenticatorApps')
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}

/**
 * Uses a code of the person's app. The step of the last code only moves forward, in one statement: of many attempts with
 * the same code, on any node, one succeeds (RFC 6238, 5.2).
 */
export async function acceptAppCode(
  db: Db,
  keys: Keys,
  { accountId, code, now }: { accountId: string; code: string; now: Date },
) {
  const app = await db
    .selectFrom('authenticatorApps')
    .select(['secretSealed', 'lastStep'])
    .where('accountId', '=', accountId)
    .executeTakeFirst()
  if (!app) return false
  const secret = await unseal(keys, cell(accountId), app.secretSealed)
  const step = matchingSteps(secret, code, now).find((one) => one > Number(app.lastStep))
  if (step === undefined) return false
  const { numUpdatedRows } = await db
    .updateTable('authenticatorApps')
    .set({ lastStep: step, lastUsedAt: now })
    .where('accountId', '=', accountId)
    .where('lastStep', '<', step)
    // Not another app, which was set up in the meantime.
    .where('secretSealed', '=', app.secretSealed)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}
