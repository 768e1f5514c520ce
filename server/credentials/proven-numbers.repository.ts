import type { PersonProof } from '#contract/sign-in-methods.ts'
import { currentMemberships } from '#server/platform/database/current-access.ts'
import type { Db } from '#server/platform/database/database.ts'

/** Locks everybody with the number, always in the same order: two of them may prove it at once. */
export const lockHolders = (db: Db, indexes: readonly string[]) =>
  db
    .selectFrom('users')
    .select(['accountId', 'email', 'firstName', 'preferredLanguage', 'ssnSealed', 'ssnProof'])
    .where(
      'ssnIndex',
      'in',
      indexes.map((index) => Buffer.from(index, 'hex')),
    )
    .orderBy('accountId')
    .forNoKeyUpdate()
    .execute()
/** Somebody with the number. */
export type Holder = Awaited<ReturnType<typeof lockHolders>>[number]

export const setProof = (db: Db, accountId: string, { by, now }: { by: PersonProof; now: Date }) =>
  db.updateTable('users').set({ ssnProof: by, ssnProvenAt: now }).where('accountId', '=', accountId).execute()

/** Takes the proof of the number, and the number itself unless the person keeps it as a claim. */
export const withdrawProof = (db: Db, accountId: string, { keeps }: { keeps: boolean }) =>
  db
    .updateTable('users')
    .set((row) => ({
      ...(keeps ? {} : { ssnSealed: null, ssnIndex: null }),
      ssnProof: null,
      ssnProvenAt: null,
      version: row('version', '+', 1),
    }))
    .where('accountId', '=', accountId)
    .execute()

/** The organisations of a person. */
export async function listOrganizationIds(db: Db, accountId: string): Promise<string[]> {
  const rows = await db
    .selectFrom(currentMemberships)
    .select('m.organizationId')
    .where('m.accountId', '=', accountId)
    .execute()
  return rows.map(({ organizationId }) => organizationId)
}
