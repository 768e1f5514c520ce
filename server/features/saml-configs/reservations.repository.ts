import type { Db } from '#server/platform/database/database.ts'
import { consumeToken, issueToken } from '#server/platform/secrets/one-time-tokens.ts'

const purpose = 'samlReservation'

/** Keeps a number for a configuration that is not saved yet. @returns the token that takes it */
export const keepId = (db: Db, id: number, { now, expiresAt }: { now: Date; expiresAt: Date }): Promise<string> =>
  issueToken(db, { purpose, subject: String(id), now, expiresAt })

/** Takes a reserved number, once. */
export async function takeId(db: Db, now: Date, token: string): Promise<number | undefined> {
  const taken = await consumeToken(db, { purpose, token, now })
  return taken && Number(taken.subject)
}

/** Whether the number is kept for a configuration that is not saved yet: its identity provider may ask for our metadata. */
export async function isReserved(db: Db, now: Date, id: number): Promise<boolean> {
  const row = await db
    .selectFrom('oneTimeThings')
    .select('subject')
    .where('purpose', '=', purpose)
    .where('subject', '=', String(id))
    .where('consumedAt', 'is', null)
    .where('expiresAt', '>', now)
    .executeTakeFirst()
  return row !== undefined
}
